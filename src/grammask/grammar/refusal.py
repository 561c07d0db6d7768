"""A way out for the model: an answer by the grammar, or a refusal, told apart for certain.

A grammar without a way out makes a model answer what it would rather decline, and the answer looks like any other.

Rule: a refusal is a named part like any capture, so it can stand anywhere in a larger grammar; what can be read as an answer is one.
Below: captures, composing, grammar.  Above: decoding.generate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grammask.grammar.composing import free_text
from grammask.grammar.grammar import Composition, Grammar, either, seq
from grammask.vocabulary import Vocabulary

__all__ = ["is_refusal", "offers_refusal", "or_refusal"]

_NAME = "refusal"
# How refusals of instruction-tuned models begin.
_BEGINNINGS = ("I can't", "I cannot", "I can’t", "I'm sorry", "I’m sorry", "I am sorry", "I'm not able", "I am not able", "I'm unable", "I am unable", "Sorry")


def or_refusal(grammar: Grammar | str, refusal: Grammar | str | None = None) -> Grammar:
    """The grammar, or a refusal. An output that took the refusal ends with finish reason "refusal" and has no value.

    refusal: what a refusal looks like, such as a fixed text or a JSON Schema of its own; None is any text that begins as refusals do
    ("I can't", "I'm sorry", ...). Its text is `result.captures["refusal"].text`.
    An output that is both an answer and a refusal is an answer. May stand anywhere in a larger grammar, several times too.
    Raises GrammarError for parts that are neither grammars nor texts.
    """
    declined = replace(seq(either(*_BEGINNINGS), free_text()) if refusal is None else seq(refusal), kind="declined")
    way_out = Grammar(declined.expression, "refusal", Composition("capture", (declined,), name=_NAME), declined.report)
    made = either(grammar, way_out)
    return Grammar(made.expression, "composed", made.source, made.report, grammar.decode if isinstance(grammar, Grammar) else None)


def offers_refusal(grammar: Grammar) -> bool:
    """Whether a refusal stands anywhere in a grammar. Cost: a look at each of its parts."""
    waiting, seen = [grammar], set[int]()
    while waiting:
        part = waiting.pop()
        if part.kind == "refusal":
            return True
        if isinstance(part.source, Composition) and id(part) not in seen:
            seen.add(id(part))
            waiting += part.source.parts
    return False


def is_refusal(grammar: Grammar, token_ids: Sequence[int], vocabulary: Vocabulary) -> bool:
    """Whether a complete output took a refusal. Raises what `Grammar.captures` raises."""
    return any(capture.grammar.kind == "declined" for capture in grammar.captures(list(token_ids), vocabulary).every(_NAME))
