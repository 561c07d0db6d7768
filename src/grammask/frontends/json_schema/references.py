"""Where a schema stands: subschemas with their JSON pointers, and what references lead to.

Rule: one object per place in a document, made when somebody comes there; documents that nobody refers to are never walked.
Resources (`$id`) and anchors are looked for only when a reference needs them. Nothing is fetched.
Where it depends on the way to a `$dynamicRef` what it leads to, all is read anew with scopes: each resource is then there once for each set
of the dynamic anchors that schemas on the way have bound, and its places with it. There are finitely many such sets.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Hashable
from typing import Any

from grammask.errors import LimitError, SchemaError, UnsupportedFeatureError
from grammask.frontends.json_schema.dialects import Draft, draft_of, named_draft
from grammask.frontends.json_schema.keywords import Facts, Group
from grammask.frontends.json_schema.options import JsonSchemaOptions
from grammask.frontends.json_schema.values import read_json
from grammask.grammar.expression import Expression, Rule

__all__ = ["References", "Resource", "ScopesNeeded", "Subschema"]

# Keywords that hold one schema, a list of schemas, or a map of names to schemas: the places where `$id` and anchors count.
HOLDS_ONE = ("additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then",
             "unevaluatedItems", "unevaluatedProperties")  # fmt: skip
HOLDS_LIST = ("allOf", "anyOf", "items", "oneOf", "prefixItems")
MAX_SCOPED = 1000  # resources, each with the dynamic anchors bound on the way to it
PLAIN_AUTHORITY = re.compile(r"https?://[a-zA-Z0-9.:-]+(?=/|$)")
PLAIN_PATH = re.compile(r"(?:/[a-zA-Z0-9_-]+)+")  # what urljoin would leave as it is
PLAIN_ADDRESS = re.compile(PLAIN_AUTHORITY.pattern + PLAIN_PATH.pattern)
ARRAY_INDEX = re.compile("0|[1-9][0-9]{0,8}")
SAYING_NOTHING = frozenset({"$comment", "default", "deprecated", "description", "examples", "readOnly", "title", "writeOnly"})
HOLDS_MAP = ("$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties")


RLock = type(threading.RLock())  # threading's is a function that calls it


class ScopesNeeded(Exception):
    """What a reference leads to depends on the way to it: read the schema again with scopes."""


class Resource:
    """A schema with an address of its own: the root of a document, or an embedded `$id`.

    uri: absolute, or "" for a root without `$id`; anchors: by name, filled by `References` when first needed;
    dynamic: the names of those that are `$dynamicAnchor`, and "" for `$recursiveAnchor`.
    known: its places by id of the schema object.  With scopes, scope: what each dynamic anchor leads to; base: the same without scopes.
    """

    __slots__ = ("anchors", "base", "draft", "dynamic", "known", "pointers", "root", "scope", "uri")

    def __init__(self, uri: str, draft: Draft, known: dict[int, Subschema]) -> None:
        self.uri, self.draft, self.known = uri, draft, known
        self.base: Resource | None = None
        self.scope: dict[str, Subschema] = {}
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

    __slots__ = (
        "alternatives", "complement", "expression", "facts", "key", "known_pointer", "negation", "parent", "pending", "representative", "resource", "value",
    )  # fmt: skip

    def __init__(self, value: Any, parent: Subschema | None, key: tuple[str | int, ...], resource: Resource) -> None:
        self.value, self.parent, self.key, self.resource = value, parent, key, resource
        self.known_pointer: str | None = None
        self.facts: Facts | None = None
        self.alternatives: list[tuple[int, tuple[Facts, ...]]] | None = None
        self.complement: list[tuple[int, tuple[Facts, ...]]] | None = None
        self.negation: Subschema | None = None
        self.representative: Subschema | None = None
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
            for key in place.key:
                step = key if type(key) is str else str(key)
                pointer += "/" + (step.replace("~", "~0").replace("/", "~1") if "/" in step or "~" in step else step)
            place.known_pointer = pointer
        return pointer


class References:
    """The documents of one compile, and the way from a reference to the subschema it names.

    root: where the schema starts; document: the same place, without scopes.
    """

    def __init__(self, schema: Any, options: JsonSchemaOptions, *, scoped: bool = False) -> None:
        self.options = options
        self.late = RLock()  # for those who compile more of the schema while its grammar is in use
        self.postponed: list[Rule] = []  # that are written when somebody comes to them
        self.resources: dict[str, Resource] = {}
        self.known: dict[int, Subschema] = {}  # by id of the schema object; documents keep those alive
        self.relaxed: dict[str, str] = {}  # what was left out, by pointer, and why
        self.indexed: set[Subschema] = set()
        self.dialects: dict[str, Draft | None] = {}
        self.written_alike: dict[tuple[Resource, Hashable], Subschema] = {}
        documents = options.documents
        self.documents = {uri.partition("#")[0]: document for uri, document in documents.items()} if documents else {}
        self.root = self.document = self._document(schema, "")
        self.scoped: dict[tuple[Resource, frozenset[tuple[str, Subschema]]], Resource] = {}
        if scoped:
            self._index(self.document)
            self._load_all()
            self.root = self._in_scope(self.document, {})

    def _document(self, schema: Any, uri: str) -> Subschema:
        """The root of a document; `uri` is where the caller says it comes from, "" for the first."""
        if type(schema) is not dict and type(schema) is not bool:
            raise SchemaError(f"a schema is an object or a boolean, this is {_kind(schema)}", uri and uri + "#")
        draft = self._draft(schema, named_draft(self.options.draft), uri and uri + "#")
        if type(schema) is dict and type(identifier := schema.get(draft.id_keyword)) is str:
            uri = _join(uri, identifier)
        resource = Resource(uri, draft, self.known)
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
        draft = draft_of(address) or self._own_dialect(address.removesuffix("#"), pointer)
        if draft is not None:
            return draft
        if self.options.unsupported == "report":
            self.relaxed[pointer + "/$schema"] = f"{address!r} is no draft that is known here, so the schema is read as draft {default.name}"
            return default
        reason = f"{address!r} is no draft that is known here"
        hint = "use 2020-12, 2019-09, 7, 6 or 4, or give its metaschema in documents"
        raise UnsupportedFeatureError("$schema", reason, pointer=pointer + "/$schema", hint=hint)

    def _own_dialect(self, uri: str, pointer: str) -> Draft | None:
        """The draft that a metaschema among the documents narrows by `$vocabulary`; None if there is no such metaschema."""
        if uri in self.dialects:
            return self.dialects[uri]
        self.dialects[uri] = None  # a metaschema that is its own is of no draft
        metaschema = self.resources[uri].root.value if uri in self.resources else read_json(self.documents.get(uri, False))
        if type(metaschema) is not dict or type(metaschema.get("$schema")) is not str:
            return None
        draft = self._draft(metaschema, named_draft(self.options.draft), uri + "#")
        vocabularies = metaschema.get("$vocabulary")
        if type(vocabularies) is dict:
            from grammask.frontends.json_schema.vocabularies import is_specified, narrowed

            unknown = [vocabulary for vocabulary, is_needed in vocabularies.items() if is_needed is True and not is_specified(vocabulary)]
            if unknown and self.options.unsupported == "refuse":
                reason = f"{uri!r} requires the vocabulary {unknown[0]!r}, which is not known here"
                raise UnsupportedFeatureError("$schema", reason, pointer=pointer + "/$schema", hint='unsupported="report" reads the schema without it')
            for vocabulary in unknown:
                self.relaxed[pointer + "/$schema"] = f"the keywords of {vocabulary!r} are not known here, and left out"
            draft = narrowed(draft, vocabularies)
        self.dialects[uri] = draft
        return draft

    def child(self, parent: Subschema, key: tuple[str | int, ...], value: Any) -> Subschema:
        """The subschema at `key` below `parent`. Raises SchemaError if what stands there is no schema."""
        if type(value) is not dict:
            if type(value) is not bool:
                raise SchemaError(f"a schema is an object or a boolean, this is {_kind(value)}", Subschema(value, parent, key, parent.resource).pointer)
            return Subschema(value, parent, key, parent.resource)
        known = parent.resource.known
        found = known.get(id(value))
        if found is None:
            if parent.resource.base is not None:
                return self._scoped_child(parent, key, value, parent.resource.base)
            found = known[id(value)] = Subschema(value, parent, key, parent.resource)
            if parent.resource.draft.id_keyword in value:
                self._embed(found)
        return found

    def children(self, parent: Subschema, keyword: str, schemas: dict[str, Any]) -> dict[str, Subschema]:
        """The subschemas by name below a keyword of `parent`. Raises as `child` does."""
        resource, found = parent.resource, {}
        known, identifier, is_scoped = resource.known, resource.draft.id_keyword, resource.base is not None
        for name, schema in schemas.items():
            if is_scoped or type(schema) is not dict or identifier in schema:
                found[name] = self.child(parent, (keyword, name), schema)
            elif (place := known.get(id(schema))) is not None:
                found[name] = place
            else:
                found[name] = known[id(schema)] = Subschema(schema, parent, (keyword, name), resource)
        return found

    def _scoped_child(self, parent: Subschema, key: tuple[str | int, ...], value: Any, base: Resource) -> Subschema:
        """A child in the scope of its parent, or of the resource that opens with it."""
        found = self.known.get(id(value))
        if found is None:
            found = self.child(self.known.get(id(parent.value)) or Subschema(parent.value, parent.parent, parent.key, base), key, value)
        return self._in_scope(found, parent.resource.scope)

    def _in_scope(self, place: Subschema, scope: dict[str, Subschema]) -> Subschema:
        """The same place where these dynamic anchors are bound, and those of its own resource that are not yet."""
        base = place.resource
        bound = {name: base.anchors[name] for name in base.dynamic} | scope
        key = base, frozenset(bound.items())
        resource = self.scoped.get(key)
        if resource is None:
            if len(self.scoped) >= MAX_SCOPED:
                raise LimitError("the scopes in which dynamic references leave the schemas they pass", None, MAX_SCOPED, "use fewer dynamic anchors")
            resource = self.scoped[key] = Resource(base.uri, base.draft, {})
            resource.base, resource.scope = base, bound
        found = resource.known.get(id(place.value))
        if found is None:
            found = Subschema(place.value, place.parent, place.key, resource)
            if type(place.value) is dict:
                resource.known[id(place.value)] = found
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

    def representative(self, subschema: Subschema) -> Subschema:
        """The first of the schemas of a resource that are written alike, descriptions apart, and so allow the same values."""
        found = subschema.representative
        if found is None:
            if subschema.parent is not None and subschema.parent is subschema.negation:  # made by `negated`
                found = self.negated(self.representative(subschema.parent))
            else:
                found = self.written_alike.setdefault((subschema.resource, _form(subschema.value, SAYING_NOTHING)), subschema)
            subschema.representative = found
        return found

    def _embed(self, subschema: Subschema) -> None:
        """Give a schema with `$id` a resource of its own; in drafts up to 7 an `$id` of only a fragment is an anchor."""
        schema, outer = subschema.value, subschema.resource
        identifier = schema[outer.draft.id_keyword]
        if type(identifier) is not str or identifier.startswith("#") or (outer.draft.overriding_ref and "$ref" in schema):
            return
        resource = subschema.resource = Resource(_join(outer.uri, identifier), self._draft(schema, outer.draft, subschema.pointer), self.known)
        resource.root = subschema
        self.resources.setdefault(resource.uri, resource)

    def finish(self) -> None:
        """Have all rules written that were postponed."""
        for rule in self.postponed:  # grows while it is read
            _ = rule.body
        self.postponed.clear()

    def places(self) -> list[Subschema]:
        """The schema objects whose keywords were read, in the order in which they were come upon."""
        places = [*self.known.values(), *(place for resource in self.scoped.values() for place in resource.known.values())]
        read = [place for place in places if place.facts is not None or place.expression is not None]
        return list({place.pointer: place for place in reversed(read)}.values())[::-1] if self.scoped else read

    def resolve(self, subschema: Subschema, keyword: str, reference: Any) -> Subschema | None:
        """What a reference in `subschema` names; None for a document that nobody supplied. Raises SchemaError for a reference to no schema."""
        resource = subschema.resource
        if resource.base is None:
            return self._target(resource, subschema, keyword, reference)
        target = self._target(resource.base, subschema, keyword, reference)
        return None if target is None else self._in_scope(target, resource.scope)

    def resolve_dynamic(self, subschema: Subschema, keyword: str, reference: Any, name: str) -> Subschema | None:
        """What a reference to a dynamic anchor names: the one of the outermost schema on the way here that has it.

        name: that of the anchor, "" for `$recursiveAnchor`. Raises ScopesNeeded where the way decides and is not known.
        """
        target = self.resolve(subschema, keyword, reference)
        if target is None or not _is_dynamic(target, name):
            return target
        resource = subschema.resource
        if resource.base is None and self._dynamic_anchors(name) > 1:
            raise ScopesNeeded
        bound = resource.scope.get(name)
        return target if bound is None else self._in_scope(bound, resource.scope)

    def _target(self, resource_here: Resource, subschema: Subschema, keyword: str, reference: Any) -> Subschema | None:
        """What a reference names, without scopes."""
        if type(reference) is not str:
            raise SchemaError(f"{keyword} is a URI reference, this is {_kind(reference)}", f"{subschema.pointer}/{keyword}")
        resource: Resource | None = resource_here
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
                self._index(self.document)
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
        self._index(self.document)
        if uri not in self.resources and uri in self.documents:
            self._load(uri)
        if uri not in self.resources:
            self._load_all()
        if uri not in self.resources:
            self._load_metaschemas(uri)
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

    def _load_metaschemas(self, uri: str) -> None:
        """Read the metaschemas of a draft, if that is what is asked for."""
        from grammask.frontends.json_schema.vocabularies import metaschemas

        for address, metaschema in metaschemas(uri).items():
            if address not in self.resources:
                self.documents[address] = metaschema
                self._load(address)

    def _dynamic_anchors(self, name: str) -> int:
        """How many resources have a dynamic anchor of this name."""
        self._index(self.document)
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
        if schema.get("$recursiveAnchor") is True and place is resource.root:
            resource.anchors[""] = place
            resource.dynamic.add("")
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


def _is_dynamic(place: Subschema, name: str) -> bool:
    """Whether a place has the dynamic anchor of this name."""
    schema = place.value
    return type(schema) is dict and (schema.get("$dynamicAnchor") == name if name else schema.get("$recursiveAnchor") is True)


def _join(base: str, reference: str) -> str:
    """An absolute URI from a base and a reference, without an empty fragment."""
    from urllib.parse import urljoin

    if PLAIN_ADDRESS.fullmatch(reference) or not base:
        return reference.removesuffix("#")
    if (authority := PLAIN_AUTHORITY.match(base)) and PLAIN_PATH.fullmatch(reference):
        return authority[0] + reference
    if base.startswith("urn:") and not reference.partition(":")[1]:
        return reference.removesuffix("#")
    return urljoin(base, reference).removesuffix("#")


def _form(value: Any, ignored: frozenset[str] = frozenset()) -> Hashable:
    """A key that is equal for values that are written alike, numbers by value, without some keywords on the outside."""
    if type(value) is dict:
        return dict, tuple([(name, _form(part)) for name, part in value.items() if name not in ignored])
    if type(value) is list:
        return list, tuple(map(_form, value))
    return (bool, value) if type(value) is bool else value


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")
