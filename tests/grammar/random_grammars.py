"""Random expressions and rule networks over a, b and c: nullable parts, left, hidden-left, right and mutual recursion, counts and chains."""

from __future__ import annotations

import random

from grammask.grammar.expression import Alt, Automaton, Chain, Chars, Expression, Literal, Ref, Repeat, Rule, Seq, Unordered

LETTERS = "abc"


def random_literal(draw: random.Random) -> Expression:
    shortest = 0 if draw.random() < 0.15 else 1
    return Literal("".join(draw.choice(LETTERS) for _ in range(draw.randint(shortest, 2))).encode())


def random_expression(draw: random.Random, rules: list[Rule], depth: int) -> Expression:
    """One expression; with rules it may refer to them."""
    kind = draw.random()
    if depth == 0 or kind < 0.25:
        return random_literal(draw) if draw.random() < 0.8 else Chars([(97, draw.randint(97, 99))])
    if kind < 0.5 and rules:
        return Ref(draw.choice(rules))
    inner = [random_expression(draw, rules, depth - 1) for _ in range(draw.randint(1, 3))]
    if kind < 0.72:
        return Seq(inner)
    if kind < 0.84:
        return Alt(inner)
    if kind < 0.93:
        minimum = draw.choice([0, 0, 0, 1, 1, 2, 3])
        return Repeat(inner[0], minimum, draw.choice([None, None, minimum, minimum + 1, minimum + 3]))
    if kind < 0.96:
        return random_automaton(draw)
    if kind < 0.98:
        return random_members(draw)
    return random_chain(draw, inner, random_expression(draw, rules, 0))


def random_chain(draw: random.Random, inner: list[Expression], rest: Expression) -> Expression:
    minimum = draw.choice([0, 0, 1, 2])
    return Chain(
        [(item, draw.random() < 0.4) for item in inner[: draw.randint(0, 3)]],
        draw.choice([Literal(b"c"), Literal(b"b"), Literal(b"")]),
        rest if draw.random() < 0.5 else None,
        minimum,
        draw.choice([None, None, minimum, minimum + 1]),
        draw.random() < 0.4,
    )


def random_members(draw: random.Random) -> Expression:
    """Members in any order; none of them is empty, as those of objects and arrays are."""
    items = [(Literal(draw.choice([b"a", b"b", b"ab", b"c"])), draw.random() < 0.4) for _ in range(draw.randint(1, 3))]
    minimum = draw.choice([1, 1, 2])
    rest = Literal(b"b") if draw.random() < 0.4 else None
    return Unordered(items, Literal(draw.choice([b"c", b"b"])), rest, minimum, draw.choice([None, None, minimum, minimum + 1]))


def random_automaton(draw: random.Random) -> Expression:
    n = draw.randint(1, 3)
    edges = [(draw.randrange(n), draw.randrange(n), 97, draw.randint(97, 99)) for _ in range(draw.randint(1, 4))]
    return Automaton(edges, {draw.randrange(n)})


def random_network(draw: random.Random, n_rules: int = 4) -> Expression:
    """A reference to the first of some rules that refer to each other. Not every rule can complete; all are prunable."""
    rules = [Rule(f"R{index}", prunable=True) for index in range(draw.randint(1, n_rules))]
    for rule in rules:
        rule.body = Alt([random_expression(draw, rules, 2) for _ in range(draw.randint(1, 3))])
    return Ref(rules[0])
