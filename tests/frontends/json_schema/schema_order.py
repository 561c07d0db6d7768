"""An instance with its members in the order in which the grammar writes them: declared ones as declared, then the others."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from grammask.frontends.json_schema.compiler import Compiler
from grammask.frontends.json_schema.item_monitor import item_schemas
from grammask.frontends.json_schema.objects import declared_names
from grammask.frontends.json_schema.options import JsonSchemaOptions
from grammask.frontends.json_schema.references import References, ScopesNeeded, Subschema
from grammask.frontends.json_schema.values import read_json, type_of


def in_schema_order(schema: Any, instance: Any, options: JsonSchemaOptions | None = None) -> list[Any]:
    """The instance ordered for each alternative of the schema that it obeys (branches of anyOf may order differently)."""
    options = options or JsonSchemaOptions()
    try:
        references = References(read_json(schema), options)
        return _ordered(Compiler(references, options), [references.root], _exact(instance), instance)
    except ScopesNeeded:
        references = References(read_json(schema), options, scoped=True)
        return _ordered(Compiler(references, options), [references.root], _exact(instance), instance)


def _exact(value: Any) -> Any:
    if isinstance(value, float):
        return Decimal(repr(value))
    if isinstance(value, list):
        return [_exact(part) for part in value]
    return {name: _exact(part) for name, part in value.items()} if isinstance(value, dict) else value


def _ordered(compiler: Compiler, schemas: list[Subschema], exact: Any, value: Any) -> list[Any]:
    if not isinstance(value, list | dict):
        return [value]
    if not schemas:
        return [value]
    found: list[Any] = []
    for types, leaves in compiler.shapes.together(schemas):
        if not types & type_of(exact) or not all(compiler.validity.holds(facts, exact) for facts in leaves):
            continue
        if isinstance(value, list):
            parts = [_ordered(compiler, item_schemas(leaves, position), exact[position], part) for position, part in enumerate(value)]
            ordered: list[Any] = [[]]
            for choices in parts:
                ordered = [[*done, part] for done in ordered for part in choices][:16]
        else:
            declared = [name for name in declared_names(leaves)[0] if name in value] if leaves else []
            ordered = [{}]
            for name in [*declared, *(name for name in value if name not in declared)]:
                inner = [schema for facts in leaves for schema in compiler.validity.schemas_for(facts, name)]
                ordered = [{**done, name: part} for done in ordered for part in _ordered(compiler, inner, exact[name], value[name])][:16]
        found += [one for one in ordered if one not in found or isinstance(one, dict)]
    return found[:16] or [value]
