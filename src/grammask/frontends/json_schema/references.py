"""Where a schema stands: subschemas with their JSON pointers, and what references lead to.

Rule: one object per place in a document, made when somebody comes there; documents that nobody refers to are never walked.
Resources (`$id`) and anchors are looked for only when a reference needs them. Nothing is fetched.
"""

from __future__ import annotations

import contextlib
import re
from typing import Any

from grammask.errors import SchemaError, UnsupportedFeatureError
from grammask.frontends.json_schema.dialects import Draft, draft_of, named_draft
from grammask.frontends.json_schema.keywords import Facts, Group
from grammask.frontends.json_schema.options import JsonSchemaOptions
from grammask.frontends.json_schema.values import read_json
from grammask.grammar.expression import Expression

__all__ = ["References", "Resource", "Subschema"]

# Keywords that hold one schema, a list of schemas, or a map of names to schemas: the places where `$id` and anchors count.
HOLDS_ONE = ("additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then",
             "unevaluatedItems", "unevaluatedProperties")  # fmt: skip
HOLDS_LIST = ("allOf", "anyOf", "items", "oneOf", "prefixItems")
ARRAY_INDEX = re.compile("0|[1-9][0-9]{0,8}")
HOLDS_MAP = ("$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties")


class Resource:
    """A schema with an address of its own: the root of a document, or an embedded `$id`.

    uri: absolute, or "" for a root without `$id`; anchors: by name, filled by `References` when first needed;
    dynamic: the names of those that are `$dynamicAnchor`.
    """

    __slots__ = ("anchors", "draft", "dynamic", "pointers", "root", "uri")

    def __init__(self, uri: str, draft: Draft) -> None:
        self.uri, self.draft = uri, draft
        self.root: Subschema
        self.anchors: dict[str, Subschema] = {}
        self.dynamic: set[str] = set()
        self.pointers: dict[str, Subschema] = {}


class Subschema:
    """One schema at one place.

    key: the path from `parent` to here. What is worked out about it is kept on it: facts (its own keywords), alternatives
    and complement (see shapes), negation and expression; `pending` is the level at which alternatives are being worked out, to notice
    references in a circle.
    """

    __slots__ = ("alternatives", "complement", "expression", "facts", "key", "known_pointer", "negation", "parent", "pending", "resource", "value")

    def __init__(self, value: Any, parent: Subschema | None, key: tuple[str | int, ...], resource: Resource) -> None:
        self.value, self.parent, self.key, self.resource = value, parent, key, resource
        self.known_pointer: str | None = None
        self.facts: Facts | None = None
        self.alternatives: list[tuple[int, tuple[Facts, ...]]] | None = None
        self.complement: list[tuple[int, tuple[Facts, ...]]] | None = None
        self.negation: Subschema | None = None
        self.expression: Expression | None = None
        self.pending: int | None = None

    @property
    def pointer(self) -> str:
        """The JSON pointer of this place; behind the URI and `#` in a document other than the first."""
        way: list[Subschema] = []
        place: Subschema = self
        while place.known_pointer is None and place.parent is not None:
            way.append(place)
            place = place.parent
        pointer = place.known_pointer or (f"{place.key[0]}#" if place.key and place.parent is None else "")
        for place in reversed(way):
            steps = [str(key).replace("~", "~0").replace("/", "~1") for key in place.key]
            pointer = place.known_pointer = "/".join((pointer, *steps))
        return pointer


class References:
    """The documents of one compile, and the way from a reference to the subschema it names."""

    def __init__(self, schema: Any, options: JsonSchemaOptions) -> None:
        self.options = options
        self.resources: dict[str, Resource] = {}
        self.known: dict[int, Subschema] = {}  # by id of the schema object; documents keep those alive
        self.relaxed: dict[str, str] = {}  # what was left out, by pointer, and why
        self.indexed: set[Subschema] = set()
        self.documents = {uri.partition("#")[0]: document for uri, document in options.documents.items()}
        self.root = self._document(schema, "")

    def _document(self, schema: Any, uri: str) -> Subschema:
        """The root of a document; `uri` is where the caller says it comes from, "" for the first."""
        if type(schema) is not dict and type(schema) is not bool:
            raise SchemaError(f"a schema is an object or a boolean, this is {_kind(schema)}", uri and uri + "#")
        draft = self._draft(schema, named_draft(self.options.draft), uri and uri + "#")
        if type(schema) is dict and type(identifier := schema.get(draft.id_keyword)) is str:
            uri = _join(uri, identifier)
        resource = Resource(uri, draft)
        root = resource.root = Subschema(schema, None, (uri,) if self.resources else (), resource)
        self.known[id(schema)] = root
        self.resources[uri] = resource
        return root

    def _draft(self, schema: Any, default: Draft, pointer: str) -> Draft:
        address = schema.get("$schema") if type(schema) is dict else None
        if address is None:
            return default
        if type(address) is not str:
            raise SchemaError("$schema is the URI of a draft", pointer + "/$schema")
        draft = draft_of(address)
        if draft is not None:
            return draft
        if self.options.unsupported == "report":
            self.relaxed[pointer + "/$schema"] = f"{address!r} is no draft that is known here, so the schema is read as draft {default.name}"
            return default
        reason = f"{address!r} is no draft that is known here"
        raise UnsupportedFeatureError("$schema", reason, pointer=pointer + "/$schema", hint="use 2020-12, 2019-09, 7, 6 or 4")

    def child(self, parent: Subschema, key: tuple[str | int, ...], value: Any) -> Subschema:
        """The subschema at `key` below `parent`. Raises SchemaError if what stands there is no schema."""
        if type(value) is not dict:
            if type(value) is not bool:
                raise SchemaError(f"a schema is an object or a boolean, this is {_kind(value)}", Subschema(value, parent, key, parent.resource).pointer)
            return Subschema(value, parent, key, parent.resource)
        found = self.known.get(id(value))
        if found is None:
            found = self.known[id(value)] = Subschema(value, parent, key, parent.resource)
            if parent.resource.draft.id_keyword in value:
                self._embed(found)
        return found

    def invented(self, parent: Subschema, key: tuple[str | int, ...], value: Any) -> Subschema:
        """A schema that stands nowhere but says what the keyword at `key` does."""
        return Subschema(value, parent, key, parent.resource)

    def negated(self, subschema: Subschema) -> Subschema:
        """The schema of all values that this one does not allow, and of that again this one."""
        negation = subschema.negation
        if negation is None:
            negation = subschema.negation = Subschema({"not": subschema.value}, subschema, (), subschema.resource)
            negation.facts = Facts(negation)
            negation.facts.groups = (Group("not", (subschema,)),)
            negation.negation = subschema
        return negation

    def _embed(self, subschema: Subschema) -> None:
        """Give a schema with `$id` a resource of its own; in drafts up to 7 an `$id` of only a fragment is an anchor."""
        schema, outer = subschema.value, subschema.resource
        identifier = schema[outer.draft.id_keyword]
        if type(identifier) is not str or identifier.startswith("#") or (outer.draft.overriding_ref and "$ref" in schema):
            return
        resource = subschema.resource = Resource(_join(outer.uri, identifier), self._draft(schema, outer.draft, subschema.pointer))
        resource.root = subschema
        self.resources.setdefault(resource.uri, resource)

    def places(self) -> list[Subschema]:
        """The schema objects whose keywords were read, in the order in which they were come upon."""
        return [place for place in self.known.values() if place.facts is not None or place.expression is not None]

    def resolve(self, subschema: Subschema, keyword: str, reference: Any) -> Subschema | None:
        """What a reference in `subschema` names; None for a document that nobody supplied. Raises SchemaError for a reference to no schema."""
        if type(reference) is not str:
            raise SchemaError(f"{keyword} is a URI reference, this is {_kind(reference)}", f"{subschema.pointer}/{keyword}")
        resource: Resource | None = subschema.resource
        address, _, fragment = reference.partition("#")
        if address:
            resource = self._resource(_join(subschema.resource.uri, address))
        if resource is None:
            return None
        if "%" in fragment:
            from urllib.parse import unquote

            fragment = unquote(fragment)
        if not fragment:
            return resource.root
        target = resource.pointers.get(fragment)
        if target is None:
            if fragment.startswith("/"):
                target = self._navigate(resource, fragment)
            else:
                self._index(self.root)
                target = resource.anchors.get(fragment)
            if target is None:
                raise SchemaError(f"{keyword} {reference!r} leads to nothing", f"{subschema.pointer}/{keyword}", "define it under $defs")
            resource.pointers[fragment] = target
        return target

    def _navigate(self, resource: Resource, pointer: str) -> Subschema | None:
        """The subschema at a JSON pointer, counted from the root of a resource; None if there is nothing or no schema."""
        place, value = resource.root, resource.root.value
        keys: list[str | int] = []
        for step in pointer[1:].split("/"):
            name = step.replace("~1", "/").replace("~0", "~")
            if type(value) is dict and name in value:
                keys.append(name)
                value = value[name]
            elif type(value) is list and ARRAY_INDEX.fullmatch(name) and int(name) < len(value):
                keys.append(int(name))
                value = value[int(name)]
            else:
                return None
            if type(value) is dict and type(value.get(place.resource.draft.id_keyword)) is str:
                place, keys = self.child(place, tuple(keys), value), []
        if type(value) is not dict and type(value) is not bool:
            return None
        return self.child(place, tuple(keys), value) if keys else place

    def _resource(self, uri: str) -> Resource | None:
        """The resource of an absolute URI: known, a document the caller supplied, or one embedded in such a document."""
        self._index(self.root)
        if uri not in self.resources and uri in self.documents:
            self._load(uri)
        if uri not in self.resources:
            self._load_all()
        return self.resources.get(uri)

    def _load(self, uri: str) -> None:
        root = self._document(read_json(self.documents.pop(uri)), uri)
        self.resources.setdefault(uri, root.resource)
        self._index(root)

    def _load_all(self) -> None:
        """Read every document that was supplied; those in a draft that is not known here stay unknown."""
        for uri in list(self.documents):
            with contextlib.suppress(UnsupportedFeatureError):
                self._load(uri)

    def dynamic_anchors(self, name: str) -> int:
        """How many resources have a `$dynamicAnchor` of this name."""
        self._index(self.root)
        self._load_all()
        return sum(name in resource.dynamic for resource in dict.fromkeys(self.resources.values()))

    def _index(self, root: Subschema) -> None:
        """Find the resources and anchors of a document, once."""
        if root in self.indexed:
            return
        self.indexed.add(root)
        waiting = [root]
        while waiting:
            place = waiting.pop()
            if type(place.value) is dict:
                self._note_anchors(place)
                waiting.extend(self._inside(place))

    def _note_anchors(self, place: Subschema) -> None:
        schema, resource = place.value, place.resource
        for keyword in ("$anchor", "$dynamicAnchor"):
            if type(name := schema.get(keyword)) is str:
                resource.anchors.setdefault(name, place)
                if keyword == "$dynamicAnchor":
                    resource.dynamic.add(name)
        identifier = schema.get(resource.draft.id_keyword)
        if resource.draft.overriding_ref and type(identifier) is str and "#" in identifier and "$ref" not in schema:
            resource.anchors.setdefault(identifier.partition("#")[2], place)

    def _inside(self, place: Subschema) -> list[Subschema]:
        """The schemas directly inside one, wherever it holds some; what is no schema is passed over."""
        schema = place.value
        found: list[tuple[tuple[str | int, ...], Any]] = [((keyword,), schema[keyword]) for keyword in HOLDS_ONE if keyword in schema]
        for keyword in HOLDS_LIST:
            if type(schema.get(keyword)) is list:
                found.extend(((keyword, index), inner) for index, inner in enumerate(schema[keyword]))
        for keyword in HOLDS_MAP:
            if type(schema.get(keyword)) is dict:
                found.extend(((keyword, name), inner) for name, inner in schema[keyword].items())
        return [self.child(place, key, inner) for key, inner in found if type(inner) is dict]


def _join(base: str, reference: str) -> str:
    """An absolute URI from a base and a reference, without an empty fragment."""
    from urllib.parse import urljoin

    if base.startswith("urn:") and not reference.partition(":")[1]:
        return reference.removesuffix("#")
    return urljoin(base, reference).removesuffix("#")


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")
