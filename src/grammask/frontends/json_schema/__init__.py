"""JSON Schema as a grammar: drafts 2020-12, 2019-09, 7, 6 and 4.

text -> values -> references (places, `$ref`) -> keywords (facts) -> shapes (alternatives) -> compiler (objects, arrays, numbers, strings).
Rule: what completes is valid under the schema as written; what cannot be enforced is refused by keyword and JSON pointer, or left out and
reported if the caller asks for that. Nothing is skipped in silence.
"""

from __future__ import annotations

import json
from typing import Any

from grammask.errors import UnsupportedFeatureError
from grammask.frontends.json_schema.options import Indent, JsonSchemaOptions
from grammask.grammar.grammar import Grammar

__all__ = ["Indent", "JsonSchemaOptions", "json_schema"]

DEFAULTS = JsonSchemaOptions()


def json_schema(schema: Any, options: JsonSchemaOptions | None = None) -> Grammar:
    """The grammar of the JSON texts that a schema allows.

    schema: a dict or boolean, JSON text, or a Python type (a pydantic model, dataclass, TypedDict, Enum, Literal, list[int], ...), whose
    texts are read back as instances. No whitespace stands before or after the text.
    Raises SchemaError for a schema that is not valid, GrammarSyntaxError for text that is not JSON, UnsupportedFeatureError for what
    cannot be enforced, EmptyLanguageError for keywords that exclude each other, LimitError for what would grow too large.
    """
    from grammask.frontends.json_schema.compiler import Compiler
    from grammask.frontends.json_schema.references import References
    from grammask.frontends.json_schema.report import Report
    from grammask.frontends.json_schema.values import read_json

    options = options or DEFAULTS
    if options.property_order == "any":
        raise UnsupportedFeatureError('property_order="any"', "members in any order are not implemented", hint='use property_order="schema"')
    if not isinstance(schema, dict | bool | str | bytes | bytearray):
        from grammask.frontends.python_types import is_type, type_grammar

        if is_type(schema):
            return type_grammar(schema, options)
    references = References(read_json(schema), options)
    return Grammar(Compiler(references, options).compile(), "json_schema", schema, Report(references), json.loads)
