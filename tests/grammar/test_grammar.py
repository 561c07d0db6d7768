"""Grammars as front ends hand them over, and how they compose."""

import pytest

from grammask.errors import GrammarError
from grammask.grammar.expression import Alt, Literal, Repeat, Seq
from grammask.grammar.grammar import Composition, Grammar, ReportEntry, either, optional, seq, text


def test_composition_takes_grammars_and_texts():
    """seq and either build the expression of their parts and remember them as the source."""
    number = Grammar(Literal(b"1"), "regex", "1")
    whole = seq("x=", either(number, "none"))
    assert whole.expression is Seq([Literal(b"x="), Alt([Literal(b"1"), Literal(b"none")])])
    assert isinstance(whole.source, Composition)
    assert whole.source.operator == "seq"
    assert [part.kind for part in whole.source.parts] == ["text", "composed"]


def test_repeat_keeps_its_bounds():
    """A repetition holds its bounds in expression and source; optional is one of them."""
    assert text("a").repeat(2, 5).expression is Repeat(Literal(b"a"), 2, 5)
    assert optional("a").expression is Repeat(Literal(b"a"), 0, 1)


@pytest.mark.parametrize("bounds", [(-1, None), (3, 2)], ids=str)
def test_bounds_that_are_no_range_are_refused(bounds):
    """A negative minimum or a maximum below it is an error that says what to give."""
    with pytest.raises(GrammarError, match="give 0 <= minimum <= maximum"):
        text("a").repeat(*bounds)


def test_parts_of_other_kinds_are_refused():
    """Composing with something that is neither a grammar nor a text names its type."""
    with pytest.raises(GrammarError, match="cannot compose a int"):
        seq("a", 3)


def test_reports_of_parts_are_joined():
    """A composed grammar reports what its parts report."""
    entry = ReportEntry("/a", "format", "annotation", "not enforced")
    assert seq(Grammar(Literal(b"a"), report=(entry,)), "b").report == (entry,)


def test_values_are_decoded_where_all_alternatives_decode_alike():
    """either keeps the decoder its parts share, and otherwise gives texts."""
    one, other = Grammar(Literal(b"1"), decode=int), Grammar(Literal(b"2"), decode=int)
    assert either(one, other).value("2") == 2
    assert either(one, "two").value("two") == "two"
