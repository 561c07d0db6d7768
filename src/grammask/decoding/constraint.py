"""A grammar compiled for one vocabulary.

Rule: immutable to the user and shared by threads and requests; what moves is in its matchers.
Below: binding, matcher, grammar.  Above: generate, api.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Self

from grammask import kernel
from grammask.arguments import check, flag, instance, is_whole, takes, whole
from grammask.decoding.binding import bindings_of
from grammask.decoding.mask import words_for
from grammask.decoding.matcher import Matcher
from grammask.decoding.recalled import RecalledGrammar
from grammask.decoding.report import Report
from grammask.decoding.respelled import may_name_specials, respelled
from grammask.errors import BudgetError, SamplingError
from grammask.grammar.grammar import Grammar
from grammask.vocabulary import Vocabulary

if TYPE_CHECKING:  # what few need is loaded when it is asked for
    from grammask.decoding.budget import BudgetedMatcher
    from grammask.decoding.canonical_matcher import CanonicalMatcher
    from grammask.decoding.index import Index, IndexForecast

__all__ = ["Constraint"]

GRAMMAR, VOCABULARY = instance(Grammar), instance(Vocabulary)
MAX_STATES, MAX_BYTES = 100_000, 1 << 29  # of an index
FAR = 4096  # bytes by which an estimate of a shortest completion may be off
ROUGH = 100_000  # bytes up to which it is worked out what items that must differ take
SPELLED = 1 << 24  # bytes of a completion past which no number of tokens is named


@dataclass(frozen=True, slots=True, eq=False)
class Constraint:
    """A grammar bound to a vocabulary; get it from `grammask.compile`."""

    grammar: Grammar
    vocabulary: Vocabulary
    _bound: kernel.Bound = field(repr=False)
    _report: Report | None = field(default=None, repr=False)  # once it was asked for

    @classmethod
    def of(cls, grammar: Grammar, vocabulary: Vocabulary) -> Self:
        """Compile, or take what was compiled for a grammar with the same content. Raises GrammarError, LimitError."""
        check("Constraint.of", "grammar", grammar, GRAMMAR)
        check("Constraint.of", "vocabulary", vocabulary, VOCABULARY)
        return cls(grammar, vocabulary, _bound_to(grammar, vocabulary))

    @property
    def report(self) -> Report:
        """What of the grammar is enforced exactly and what was relaxed on request, with the places; its size and a certificate of its cost."""
        report = self._report
        if report is None:
            report = Report(self.grammar, self.vocabulary, partial(_bound_to, self.grammar, self.vocabulary))
            object.__setattr__(self, "_report", report)
        return report

    @property
    def mask_words(self) -> int:
        """32-bit words in a mask row: numpy.zeros(constraint.mask_words, dtype=numpy.uint32) makes one."""
        return words_for(len(self.vocabulary))

    def matcher(self, max_tokens: int | None = None, *, canonical: bool = False) -> Matcher:
        """A matcher at the start of an output.

        max_tokens: the most tokens the output may take, the end token not counted. Masks leave out tokens after which it could not be
        completed in what is left (`BudgetedMatcher`), so that an output that obeys them is always whole.
        canonical: masks leave out tokens that the model's tokenizer would not write there, too (`CanonicalMatcher`). Only for tokenizers that join pairs
        and cut no words first; for others, and together with a budget, `grammask.generate` takes canonical=True.
        Raises BudgetError, with a number that is achievable, if that cannot hold a complete output; SamplingError if it is no whole number, or for what
        has no canonical masks.
        """
        if canonical is not False:
            check("Constraint.matcher", "canonical", canonical, flag)
        if self._bound.is_worn:  # a constraint that serves for months binds its grammar anew from time to time; it stays the same grammar
            object.__setattr__(self, "_bound", _bound_to(self.grammar, self.vocabulary))
        plain = Matcher._of(self._bound, self.vocabulary, bindings_of(self.vocabulary), max_tokens)
        if canonical:
            return self._canonical(plain, max_tokens)
        if max_tokens is None:
            return plain
        if not is_whole(max_tokens):
            raise SamplingError("max_tokens", max_tokens, "give a whole number from 1 up, or None for no budget")
        return self._budgeted(plain, max_tokens)

    def _canonical(self, plain: Matcher, max_tokens: int | None) -> CanonicalMatcher:
        from grammask.decoding.canonical_matcher import CanonicalMatcher
        from grammask.decoding.canonical_pairs import pairs_of

        pairs = pairs_of(self.vocabulary) if max_tokens is None and not may_name_specials(self.grammar) else None
        if pairs is None:
            if max_tokens is not None:
                reason = "canonical masks know no budget"
            elif may_name_specials(self.grammar):
                reason = "the grammar names special tokens, which canonical masks do not know"
            else:
                reason = "the vocabulary's `encode` is not known to join pairs and nothing else, so no mask can tell what it would write"
            raise SamplingError("canonical", True, f"{reason}; let grammask.generate(..., GenerateOptions(canonical=True)) choose among drawn tokens")
        return CanonicalMatcher._canonical(plain, pairs)

    def _budgeted(self, plain: Matcher, max_tokens: int) -> BudgetedMatcher:
        from grammask.decoding.budget import BudgetedMatcher, RespelledMatcher

        grammar = respelled(self.grammar, self.vocabulary)
        budgeted = BudgetedMatcher._budgeted(plain, max_tokens) if grammar is None else RespelledMatcher._respelled(grammar, self.vocabulary, max_tokens)
        least = budgeted.least_bytes()
        is_rough = least <= ROUGH and getattr(self._bound, "tells_apart", False)  # no item takes more than is reckoned, but most take less
        if least > budgeted._bindings.speller.longest * max_tokens + FAR and not is_rough:
            raise BudgetError(max_tokens, None if least > SPELLED else least)
        completion = budgeted.shortest_completion()
        if completion is None and least < 0 and (grammar is not None or not may_name_specials(self.grammar)):
            raise BudgetError(max_tokens, None)  # longer than anybody could count
        needed = 1 if completion is None else max(1, len(completion))
        if max_tokens < needed:
            raise BudgetError(max_tokens, needed)
        return budgeted

    @takes(max_states=whole(1), max_bytes=whole())
    def index_forecast(self, *, max_states: int = MAX_STATES, max_bytes: int = MAX_BYTES) -> IndexForecast:
        """How large `index` would be: states, transitions and bytes, counted exactly without making it. Raises what `index` raises.

        Cost: half of that of `index`, without its memory.
        """
        from grammask.decoding.index import forecast_of

        return forecast_of(self._bound, bindings_of(self.vocabulary).prepared(self.grammar.expression), max_states, max_bytes)

    @takes(max_states=whole(1), max_bytes=whole())
    def index(self, *, max_states: int = MAX_STATES, max_bytes: int = MAX_BYTES) -> Index:
        """All states of the grammar over this vocabulary with their tokens and next states, for engines that take plain tables.

        Masks come without it, cost no more at each step, and need far less memory: an index holds 8 bytes for each token of each state,
        1 MB for every state inside a JSON string over 128,000 tokens.
        max_states: of the automaton over bytes and characters read. max_bytes: of the arrays, found out before they are made.
        Raises UnsupportedFeatureError for grammars whose rules nest (it names them), LimitError for what is too large.
        Cost: two walks of the vocabulary's trie for each state, up to 3 ms each for 128,000 tokens.
        """
        from grammask.decoding.index import index_of

        return index_of(self._bound, bindings_of(self.vocabulary).prepared(self.grammar.expression), self.vocabulary, max_states, max_bytes)


def _bound_to(grammar: Grammar, vocabulary: Vocabulary) -> kernel.Bound:
    """What the kernel makes of a grammar, shared by all constraints with the same content."""
    bindings = bindings_of(vocabulary)
    if isinstance(grammar, RecalledGrammar):
        return bindings.bound_as(grammar.key, lambda: grammar.table)
    return bindings.bound(grammar.expression, grammar.key)
