"""Compiling: what is shared, what is refused, what is reported."""

import gc
import threading
import weakref

import pytest

import grammask
from grammask.decoding.binding import bindings_of
from grammask.errors import GrammarTypeError, VocabularyError
from grammask.grammar.expression import Ref, Rule, Seq, literal
from grammask.grammar.expression import either as any_of
from grammask.grammar.grammar import ReportEntry

from .worlds import byte_vocabulary, texts, verdict_grammar, verdict_vocabulary


def brackets(inner="x"):
    """A recursive grammar with cells of its own."""
    value = Rule("value")
    value.body = any_of(literal(inner), Seq([literal("["), Ref(value), literal("]")]))
    return grammask.Grammar(Ref(value))


def bounds(vocabulary):
    """How many grammars are bound to a vocabulary."""
    return len(bindings_of(vocabulary)._bounds)


def test_grammars_with_the_same_content_are_bound_once():
    """The same grammar, an equal one, and an equal recursive one with other cells share what was compiled; a different one does not."""
    vocabulary = byte_vocabulary()
    for grammar in (texts("a", "b"), texts("a", "b"), brackets(), brackets()):
        grammask.compile(grammar, vocabulary)
    assert bounds(vocabulary) == 2
    grammask.compile(brackets("y"), vocabulary)
    assert bounds(vocabulary) == 3


def test_constraints_that_share_keep_their_own_grammar():
    """What a text decodes to belongs to the grammar at hand, not to the one that was compiled first."""
    vocabulary = byte_vocabulary()
    plain, decoding = texts("1"), grammask.Grammar(texts("1").expression, decode=int)
    assert grammask.compile(plain, vocabulary).grammar.value("1") == "1"
    assert grammask.compile(decoding, vocabulary).grammar.value("1") == 1


def test_threads_that_compile_at_once_share_one_store_and_one_bound_grammar():
    """Sixteen threads that compile the same grammar for a fresh vocabulary make everything once."""
    vocabulary, stores, masks, start = verdict_vocabulary(), [], [], threading.Barrier(16)

    def work():
        start.wait()
        matcher = grammask.compile(verdict_grammar(), vocabulary).matcher()
        matcher.advance(0)
        stores.append(bindings_of(vocabulary).store)
        masks.append(matcher.allowed_tokens().tolist())

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(map(id, stores))) == 1
    assert masks == [[2]] * 16
    assert bounds(vocabulary) == 1


def test_what_was_compiled_goes_with_its_vocabulary():
    """Nothing global holds a vocabulary, its store or its grammars."""
    vocabulary = verdict_vocabulary()
    grammask.compile(verdict_grammar(), vocabulary).matcher().allowed_tokens()
    gone = weakref.ref(vocabulary)
    del vocabulary
    gc.collect()
    assert gone() is None


def test_matchers_of_one_constraint_move_on_their_own():
    """Two matchers of a constraint do not see each other's tokens."""
    constraint = grammask.compile(verdict_grammar(), verdict_vocabulary())
    one, other = constraint.matcher(), constraint.matcher()
    one.advance(0)
    assert one.allowed_tokens().tolist() == [2]
    assert other.allowed_tokens().tolist() == [0]


def test_a_constraint_cannot_be_changed():
    """A constraint is shared, so it is frozen."""
    constraint = grammask.compile(verdict_grammar(), verdict_vocabulary())
    with pytest.raises(AttributeError):
        constraint.grammar = texts("a")


def test_the_report_repeats_the_grammars_entries_and_measures_the_tables():
    """Entries come from the front end, the size from lowering."""
    entries = (ReportEntry("/a", "format", "relaxed", "any text is accepted"),)
    report = grammask.compile(grammask.Grammar(brackets().expression, report=entries), byte_vocabulary()).report
    assert list(report) == [*entries]
    assert len(report) == 1
    assert report.size.rules == 1
    assert report.size.edges >= 3
    assert report.size.nodes >= 4


def test_mask_words_is_the_size_of_a_row():
    """One 32-bit word for each 32 ids or part of them."""
    assert grammask.compile(verdict_grammar(), verdict_vocabulary()).mask_words == 1
    assert grammask.compile(texts("a"), byte_vocabulary()).mask_words == 9


@pytest.mark.parametrize(
    ("grammar", "hint"), [("a|b", "regex"), (["a"], "choice"), (3, "grammask.Grammar"), (None, "JSON Schema")], ids=["text", "list", "number", "none"]
)
def test_objects_with_no_single_reading_are_no_grammar(grammar, hint):
    """A text or list could be several kinds of grammar: the error, a TypeError too, says how to say which."""
    with pytest.raises(GrammarTypeError, match=hint) as caught:
        grammask.compile(grammar, verdict_vocabulary())
    assert isinstance(caught.value, TypeError)


def test_a_vocabulary_is_asked_for_by_name():
    """A tokenizer or a list in place of a vocabulary is refused with the way to make one."""
    with pytest.raises(VocabularyError, match="from_"):
        grammask.compile(texts("a"), [b"a"])
