"""The options of the regex front end, passed whole."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["RegexOptions"]


@dataclass(frozen=True, slots=True)
class RegexOptions:
    """How large a pattern may be. Beyond a bound: LimitError, before any work that grows with the excess.

    maximum_length: of the pattern, in characters.  maximum_nesting: groups within groups.
    maximum_repetition: the largest bound of a counted repetition.
    maximum_unrolled: the characters of the pattern with every counted repetition written out (nested counts multiply).
    maximum_assertions: anchors, word boundaries and lookarounds.
    maximum_contexts: positions that have to be told apart for anchors, word boundaries and lookarounds (UnsupportedFeatureError beyond).
    """

    maximum_length: int = 65_536
    maximum_nesting: int = 500
    maximum_repetition: int = 100_000
    maximum_unrolled: int = 1_000_000
    maximum_assertions: int = 1_000
    maximum_contexts: int = 300
