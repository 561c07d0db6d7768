"""What all constraints of one vocabulary share: the kernel's store, the grammars bound to it, the speller of texts.

Rule: made once a vocabulary, each part on first use, and kept in the vocabulary's own slot, so that it dies with it.
Any number of threads may use it.
Below: cache, speller, grammar.lower, grammar.prepare, kernel.  Above: constraint, matcher, generate.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from grammask import kernel
from grammask.decoding.cache import SingleFlightCache, content_key
from grammask.decoding.speller import Speller
from grammask.grammar.expression import Expression
from grammask.grammar.lower import lower, lower_lazily
from grammask.grammar.prepare import Spelling, prepare
from grammask.kernel.tables import RuleTable
from grammask.vocabulary import Vocabulary

__all__ = ["Bindings", "bindings_of"]

# Grammars kept bound to one vocabulary, beside those in use. One takes under 1 MB as a rule.
_BOUND_GRAMMARS = 128
# Rules that are lowered when a grammar is bound; the others, where that can be put off, when a text comes to them. Of small grammars a text
# comes to most rules, and its masks would only be slower.
_AT_ONCE = 16


class Bindings:
    """One vocabulary's share; get it from `bindings_of`."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        # Not the vocabulary itself: it holds this, and both should go when the caller lets go of it.
        self._tokens, self._eos_ids, self._specials = vocabulary.tokens, vocabulary.eos_ids, vocabulary.specials
        self._bounds: SingleFlightCache[Hashable, kernel.Bound] = SingleFlightCache(_BOUND_GRAMMARS)
        self._lock = threading.Lock()
        self._spelling: Spelling | None = None
        self._store: kernel.Store | None = None
        self._speller: Speller | None = None
        self._unconstrained: NDArray[np.uint32] | None = None

    def bound(self, expression: Expression, key: Hashable = None) -> kernel.Bound:
        """The expression bound to this vocabulary; grammars with the same content share one. Raises GrammarError, LimitError.

        key: what the front end calls the content, which spares a walk over the expression.
        """
        return self.bound_as(content_key(expression) if key is None else key, partial(self._lowered_for_use, expression))

    def bound_as(self, key: Hashable, table: Callable[[], RuleTable]) -> kernel.Bound:
        """The raw tables that `table` gives, bound to this vocabulary; asked for only if nothing is bound under this key."""
        if self._store is not None and self._store.is_worn:
            self._renew()
        bound = self._bounds.get(key, lambda: self._bind(table()))
        if bound.is_worn:
            self._bounds.drop(key, bound)
            bound = self._bounds.get(key, lambda: self._bind(table()))
        return bound

    def _renew(self) -> None:
        """Start a fresh store once this one is worn, so that memory stays flat and no grammar, however large, uses it up for the others.

        What is bound already keeps the old store alive, and goes on in it; what nobody holds goes with it.
        """
        with self._lock:
            if self._store is not None and self._store.is_worn:
                self._store = self._store.renewed()
                self._bounds.clear()

    def _bind(self, table: RuleTable) -> kernel.Bound:
        return kernel.Bound(self.store, self._prepared(table) if kernel.KERNEL == "compiled" else table)

    def lowered(self, expression: Expression) -> RuleTable:
        """The raw tables of an expression, with this vocabulary's special tokens. Raises GrammarError, LimitError."""
        return lower(expression, specials=self._specials, tokens=self._tokens, eos_ids=self._eos_ids)

    def _lowered_for_use(self, expression: Expression) -> RuleTable:
        """The same for the kernel, which asks for most rules of a large grammar when a text comes there; tokens that do not spell all bytes need all."""
        if kernel.KERNEL != "compiled" or self.spelling.missing.members:
            return self.lowered(expression)
        return lower_lazily(expression, self._specials, self._tokens, self._eos_ids, _AT_ONCE)

    def _prepared(self, table: RuleTable) -> RuleTable:
        return prepare(table, self.spelling)

    def prepared(self, expression: Expression) -> RuleTable:
        """The prepared tables of an expression that is bound already, for those who look at rules. Cost: that of lowering it."""
        return self._prepared(self.lowered(expression))

    def prepare(self) -> None:
        """Make what every grammar needs, before the first of them."""
        _ = self.store, self.spelling

    @property
    def n_bound(self) -> int:
        """How many grammars are kept bound to this vocabulary."""
        return len(self._bounds)

    @property
    def store(self) -> kernel.Store:
        """The kernel's trie and shared rules. Cost of making it: nearly all that a first grammar costs, most of it without the interpreter's lock."""
        if self._store is None:
            with self._lock:
                if self._store is None:
                    self._store = kernel.Store(self._tokens, self._eos_ids)
        return self._store

    @property
    def spelling(self) -> Spelling:
        """What the tokens can spell at all, as far as grammars care."""
        if self._spelling is None:
            with self._lock:
                if self._spelling is None:
                    self._spelling = Spelling(self._tokens)
        return self._spelling

    @property
    def speller(self) -> Speller:
        """The tokens by their bytes."""
        if self._speller is None:
            with self._lock:
                if self._speller is None:
                    self._speller = Speller(self._tokens)
        return self._speller

    @property
    def unconstrained(self) -> NDArray[np.uint32]:
        """A read-only mask row for output without a grammar: all ids with text, special and end tokens, but not the padding."""
        if self._unconstrained is None:
            used = np.array([bool(token) for token in self._tokens] + [False] * (-len(self._tokens) % 32))
            used[[*self._eos_ids, *self._specials.values()]] = True
            row = np.packbits(used, bitorder="little").view("<u4").astype(np.uint32)
            row.flags.writeable = False
            self._unconstrained = row
        return self._unconstrained


_LOCK = threading.Lock()


def bindings_of(vocabulary: Vocabulary) -> Bindings:
    """What the constraints of this vocabulary share, made if this is the first of them."""
    if vocabulary._store is None:
        with _LOCK:
            if vocabulary._store is None:
                vocabulary._store = Bindings(vocabulary)
    bindings: Bindings = vocabulary._store
    return bindings
