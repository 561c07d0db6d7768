"""JSON Schema as a grammar: drafts 2020-12, 2019-09, 7, 6 and 4.

text -> values -> references (places, `$ref`) -> keywords (facts) -> shapes (alternatives) -> compiler (objects, arrays, numbers, strings).
Rule: what completes is valid under the schema as written; what cannot be enforced is refused by keyword and JSON pointer, or left out and
reported if the caller asks for that. Nothing is skipped in silence.
"""

from __future__ import annotations

import json
import marshal
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from grammask.arguments import check, instance
from grammask.frontends.json_schema.options import Indent, JsonSchemaOptions
from grammask.grammar.collector import without_collecting
from grammask.grammar.expression import Expression
from grammask.grammar.grammar import Grammar, ReportEntry

if TYPE_CHECKING:
    from grammask.frontends.json_schema.references import References
    from grammask.frontends.json_schema.report import Report

__all__ = ["Indent", "JsonSchemaOptions", "json_schema", "json_schema_part"]

DEFAULTS = JsonSchemaOptions()
N_REMEMBERED = 128  # grammars
LARGEST_REMEMBERED = 200_000  # characters of a schema
TEXTS = (str, bytes, bytearray)
WRITTEN = (dict, bool, *TEXTS)


def json_schema(schema: Any, options: JsonSchemaOptions | None = None) -> Grammar:
    """The grammar of the JSON texts that a schema allows.

    schema: a dict or boolean, JSON text, or a Python type (a pydantic model, dataclass, TypedDict, Enum, Literal, list[int], ...), whose
    texts are read back as instances. No whitespace stands before or after the text.
    A dict, boolean or text that was given before with the same options, without documents, gives the same object again while it is among the
    last 128. Raises SchemaError for a schema that is not valid, GrammarSyntaxError for text that is not JSON, UnsupportedFeatureError for
    what cannot be enforced, EmptyLanguageError for keywords that exclude each other, LimitError for what would grow too large.
    """
    if options is None:
        options = DEFAULTS
    else:
        check("json_schema", "options", options, instance(JsonSchemaOptions))
        options = DEFAULTS if options == DEFAULTS else options
    if type(schema) is str:
        return _of_text(schema, True, options)
    if not isinstance(schema, WRITTEN):
        from grammask.frontends.python_types import is_type, type_grammar

        if is_type(schema):
            return type_grammar(schema, options)
    return _of_text(_parts().written(schema), isinstance(schema, TEXTS), options)


def _of_text(text: str, is_text: bool, options: JsonSchemaOptions) -> Grammar:
    if len(text) > LARGEST_REMEMBERED or options.documents:
        return _compiled(text, is_text, options)
    return _remembered(text, is_text, None if options is DEFAULTS else options)


def json_schema_part(schema: dict[str, Any] | bool | str, options: JsonSchemaOptions) -> tuple[Expression, Sequence[ReportEntry]]:
    """The expression and the report of a schema inside a larger grammar, which keeps what was given itself. Raises what `json_schema` raises.

    Cost: that of `json_schema` without writing and reading the schema; one that was given lately is remembered.
    """
    if type(schema) is dict and not options.documents:
        try:
            return _remembered_part(marshal.dumps(schema, 2), options)
        except (TypeError, ValueError, RecursionError):  # no plain JSON: `json_schema` takes it, or says what is wrong
            pass
    grammar = json_schema(schema, options)
    return grammar.expression, grammar.report


@lru_cache(maxsize=N_REMEMBERED)
@without_collecting
def _remembered_part(data: bytes, options: JsonSchemaOptions) -> tuple[Expression, Sequence[ReportEntry]]:
    """data: a schema as `marshal` writes it, which was written by this process."""
    parts = _parts()
    references, expression = parts.compiled(parts.exact(marshal.loads(data)), options)  # noqa: S302 (nobody else writes these bytes)
    return expression, parts.report(references)


@without_collecting
def _compiled(text: str, is_text: bool, options: JsonSchemaOptions | None) -> Grammar:
    """The grammar of a schema's text; its source is that text or, if the user gave a value, a copy of the value. options: None for the usual ones."""
    parts = _parts()
    references, expression = parts.compiled(parts.read_json(text), options or DEFAULTS)
    key = None if options and options.documents else ("json_schema", text, _number_of(options) if options else 0)
    return Grammar(expression, "json_schema", text if is_text else json.loads(text), parts.report(references), json.loads, key)


class _Parts(NamedTuple):
    """The rest of this front end."""

    compiled: Callable[[Any, JsonSchemaOptions], tuple[References, Expression]]
    report: type[Report]
    exact: Callable[[Any], Any]
    read_json: Callable[[object], Any]
    written: Callable[[object], str]


@lru_cache(maxsize=1)
def _parts() -> _Parts:
    """It is imported when the first schema comes; to ask for the modules each time would take longer than to look them up here."""
    from grammask.frontends.json_schema.compiler import compiled
    from grammask.frontends.json_schema.report import Report
    from grammask.frontends.json_schema.values import exact, read_json, written

    return _Parts(compiled, Report, exact, read_json, written)


@lru_cache(maxsize=256)
def _number_of(_options: JsonSchemaOptions) -> int:
    """A number for each set of options, 0 being that of the usual ones: hashing it costs less."""
    return next(_NUMBERS)


_NUMBERS = count(1)
_remembered = lru_cache(maxsize=N_REMEMBERED)(_compiled)
