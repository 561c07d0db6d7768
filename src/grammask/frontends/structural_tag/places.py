"""Strict access to the parts of a structural tag: every value with its JSON pointer and the tag that it belongs to.

Rule: whatever is missing, unknown or of the wrong type is refused here, by name and place; readers only see what they asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from grammask.errors import EmptyLanguageError, GrammarError, GrammarSyntaxError, LimitError, NoExitError, SchemaError, UnsupportedFeatureError

__all__ = ["Place", "placed"]

KINDS: dict[type, str] = {dict: "an object", list: "an array", str: "a text", bool: "a boolean", int: "a number", float: "a number", type(None): "null"}


class Place(NamedTuple):
    """A value in a structural tag. pointer: from the whole; owner: the innermost tag around it, in words."""

    value: Any
    pointer: str = ""
    owner: str = "the structural tag"

    def wrong(self, reason: str, hint: str = "") -> SchemaError:
        """The error that says what is wrong here."""
        return SchemaError(reason, self.pointer, hint, owner=self.owner)

    def unsupported(self, feature: str, reason: str, hint: str = "") -> UnsupportedFeatureError:
        """The error that says what cannot be enforced here."""
        return UnsupportedFeatureError(feature, reason, pointer=self.pointer, hint=hint, owner=self.owner)

    def below(self, key: str | int) -> Place:
        """A member or item."""
        step = key if isinstance(key, int) or not ("/" in key or "~" in key) else key.replace("~", "~0").replace("/", "~1")
        return Place(self.value[key], f"{self.pointer}/{step}", self.owner)

    def within(self, owner: str) -> Place:
        """The same place, as one of a tag."""
        return Place(self.value, self.pointer, owner)

    def members(self, required: tuple[str, ...] = (), optional: tuple[str, ...] = ()) -> dict[str, Place]:
        """The members of an object that has all required ones and no others than those named."""
        if not isinstance(self.value, Mapping):
            raise self._expected("an object")
        known = (*required, *optional)
        for key in self.value:
            if key not in known:
                close = get_close_matches(key, known, 1) if isinstance(key, str) else []
                raise self.wrong(f"unknown key {key!r}", f"did you mean {close[0]!r}?" if close else f"it takes {', '.join(known)}")
        for key in required:
            if key not in self.value:
                raise self.wrong(f"{key!r} is missing")
        value, pointer, owner = self
        return {key: Place(value[key], f"{pointer}/{key}", owner) for key in value}  # no known key needs an escape

    def items(self) -> list[Place]:
        """The items of an array."""
        if not isinstance(self.value, list | tuple):
            raise self._expected("an array")
        return [self.below(index) for index in range(len(self.value))]

    def text(self, *, may_be_empty: bool = True) -> str:
        """A text that UTF-8 can spell."""
        if not isinstance(self.value, str):
            raise self._expected("a text")
        if not self.value and not may_be_empty:
            raise self.wrong("the text is empty")
        try:
            self.value.encode()
        except UnicodeEncodeError:
            raise self.wrong("the text holds a lone surrogate, which UTF-8 cannot spell") from None
        return self.value

    def texts(self) -> list[str]:
        """An array of texts, none of them empty."""
        return [item.text(may_be_empty=False) for item in self.items()]

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self._expected("true or false")
        return self.value

    def number(self, least: int = 0) -> int:
        """A whole number from `least` up."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self._expected("a whole number")
        if self.value < least:
            raise self.wrong(f"{self.value} is less than {least}")
        return self.value

    def token(self) -> str | int:
        """A token by name or by id."""
        if isinstance(self.value, int) and not isinstance(self.value, bool):
            return self.number()
        if isinstance(self.value, str):
            return self.text(may_be_empty=False)
        raise self._expected("the name or the id of a token")

    def tokens(self) -> list[str | int]:
        return [item.token() for item in self.items()]

    def _expected(self, what: str) -> SchemaError:
        return self.wrong(f"{what} is needed, got {KINDS.get(type(self.value), type(self.value).__name__)}")


def placed(error: GrammarError | LimitError, place: Place, root: str = "") -> GrammarError | LimitError:
    """An error of another front end, as one of this place: the same class, with the tag's name and pointers from the whole.

    root: the pointer in the other front end's input of what stands at the place.
    """
    where = f"{place.owner}, {place.pointer or 'at its top'}"
    match error:
        case SchemaError():
            return SchemaError(error.reason, place.pointer + error.pointer.removeprefix(root), error.hint, owner=place.owner)
        case UnsupportedFeatureError() if error.pointer is not None:
            pointer = place.pointer + error.pointer.removeprefix(root)
            return UnsupportedFeatureError(error.feature, error.reason, pointer=pointer, hint=error.hint, owner=place.owner)
        case UnsupportedFeatureError():
            return UnsupportedFeatureError(
                error.feature, error.reason, pointer=place.pointer, source=error.source, span=error.span, hint=error.hint, owner=place.owner
            )
        case GrammarSyntaxError():
            return GrammarSyntaxError(f"{where}: {error.reason}", error.source, error.span, error.hint)
        case EmptyLanguageError():
            return EmptyLanguageError(f"{place.pointer}{error.place.removeprefix(root)} ({place.owner})", error.reason)
        case LimitError():
            return LimitError(f"{where}: {error.limit}", error.value, error.bound, error.hint)
        case NoExitError():
            return error
        case _:
            return GrammarError(f"{where}: {error}")
