"""Members in a fixed order with separators between neighbours (objects and arrays), as an automaton of linear size.

Rule: nodes stand for what is still to come. For each item i there is a node *ready* (a member may start with item i or a later one) and
a node *closed* (a member has just ended; items from i on are left), so one separator and one copy of each item suffice:
    ready(i) --item i--> closed(i+1)      ready(i) --nothing--> ready(i+1) if item i may be left out
    closed(i) --separator--> ready(i)     closed(i) --nothing--> the end, if nothing more is needed
Where counts bind, nodes also carry what the count still demands and how much room it leaves, as far as that makes a difference.
"""

from __future__ import annotations

from grammask.errors import LimitError
from grammask.grammar.construction import Construction
from grammask.grammar.counting import has_weight_over
from grammask.grammar.expression import NOTHING, Chain, Expression, Ref, Repeat, Seq
from grammask.kernel.tables import EPSILON

__all__ = ["build_chain"]

MAX_NODES = 50_000
MAX_COUNTED = 64  # longer runs of `rest` are left to counting
MAX_COPIED = 4  # a heavier item that is needed more than once is called

Place = tuple[int, int, int | None]  # items passed, members still needed, members still possible (None: no bound that could bind)


def build_chain(made: Construction, chain: Chain, start: int, end: int) -> None:
    """Add a chain between two nodes. Raises LimitError where counts times items make more than 50,000 nodes."""
    if not chain.items and chain.rest is not None and chain.maximum is None and chain.minimum <= 1:
        _build_repeated(made, chain.rest, chain.separator, start, end, minimum=chain.minimum)
        return
    binds_above = chain.maximum is not None and (chain.rest is not None or chain.maximum < len(chain.items))
    n_required = sum([is_required for _, is_required in chain.items])
    if chain.contiguous or not chain.items or binds_above or chain.minimum > max(n_required, 1):
        _Chain(made, chain, end, is_counted=not chain.contiguous).build(start)
    else:
        _build_uncounted(made, chain, start, end)


def _build_repeated(made: Construction, member: Expression, separator: Expression, start: int, end: int, *, minimum: int) -> None:
    """Any number of members of one kind, at least `minimum` (0 or 1). Nothing may lead to the start, so the loop has a node of its own."""
    ready = made.n_nodes
    closed = ready + 1
    made.n_nodes += 2
    if not minimum:
        made.skip(start, end)
    made.edges += ((EPSILON, start, ready), (EPSILON, closed, end))
    made.todo += ((separator, closed, ready), (member, ready, closed))


def _build_uncounted(made: Construction, chain: Chain, start: int, end: int) -> None:
    """The same where no count binds but perhaps that there is a member at all, and items may be left out.

    ready(i+1) is the node after closed(i+1), which is made after ready(i). The end is reached over a closed node only.
    """
    todo, skip, add = made.todo, made.skip, made.edges.append
    last = len(chain.items) - (chain.rest is None)
    separator = chain.separator
    last_required = max([index for index, (_, is_required) in enumerate(chain.items) if is_required], default=-1)
    if last_required < 0 and not chain.minimum:
        skip(start, end)
    called = made.rule_table(separator.rule) if isinstance(separator, Ref) and separator.rule.shared else None
    ready = start
    for index, (item, is_required) in enumerate(chain.items):
        is_last = index == last
        closed = end if is_last else made.n_nodes
        made.n_nodes += 0 if is_last else 2
        if type(item) is Seq:
            made.seq(item, ready, closed)
        else:
            todo.append((item, ready, closed))
        if is_last:
            return
        if called is not None:
            made.call(closed, closed + 1, called)
        else:
            todo.append((separator, closed, closed + 1))
        if not is_required:
            add((EPSILON, ready, closed + 1))
        if index >= last_required:
            add((EPSILON, closed, end))
        ready = closed + 1
    closed = made.new_node()
    todo.append((chain.rest or NOTHING, ready, closed))
    todo.append((separator, closed, ready))
    skip(closed, end)


class _Chain:
    """One chain under construction; `ready` and `closed` hold the nodes made so far."""

    def __init__(self, made: Construction, chain: Chain, end: int, *, is_counted: bool) -> None:
        self.made, self.chain, self.end, self.is_counted = made, chain, end, is_counted
        self.n_items = len(chain.items)
        self.members = chain.items if chain.rest is None else (*chain.items, (chain.rest, True))
        self.required = [0] * (self.n_items + 1)  # required items from i on
        for index in reversed(range(self.n_items)):
            self.required[index] = self.required[index + 1] + chain.items[index][1]
        self.ready: dict[Place, int] = {}
        self.closed: dict[Place, int] = {}
        self.work: list[tuple[Place, bool]] = []

    def build(self, start: int) -> None:
        first = self.place(0, self.chain.minimum, self.chain.maximum)
        if self.can_end(first):
            self.made.skip(start, self.end)
        if self.is_hopeless(first):
            self.made.nothing("its counts of members cannot be met")
        elif self.n_items:
            self.ready[first] = start
            self.leave_ready(first)
        elif self.can_go_on(first):
            self.made.skip(start, self.ready_node(first))
        while self.work:
            place, is_closed = self.work.pop()
            self.leave_closed(place) if is_closed else self.leave_ready(place)

    def place(self, index: int, needed: int, room: int | None) -> Place:
        """The place in its simplest form: what cannot bind is forgotten."""
        if needed <= self.required[index]:
            needed = 0
        if room is not None and self.chain.rest is None and room >= self.n_items - index:
            room = None
        return index, needed, room

    def after_member(self, place: Place) -> Place:
        index, needed, room = place
        return self.place(min(index + 1, self.n_items), max(needed - 1, 0), None if room is None else room - 1)

    def can_end(self, place: Place) -> bool:
        index, needed, _ = place
        return not needed and not self.required[index]

    def can_go_on(self, place: Place) -> bool:
        """Whether a further member may follow, as far as items and room tell."""
        index, _, room = place
        return room != 0 and (index < self.n_items or self.chain.rest is not None)

    def is_hopeless(self, place: Place) -> bool:
        """Whether more members are needed than may follow."""
        index, needed, room = place
        return (room is not None and room < max(needed, self.required[index])) or (self.chain.rest is None and needed > self.n_items - index)

    def leave_ready(self, place: Place) -> None:
        index, needed, room = place
        node = self.ready[place]
        item, is_required = self.members[index]
        after = self.after_member(place)
        if self.is_hopeless(after):
            self.made.nothing("its counts of members cannot be met")
        else:
            self.add_member(item, node, self.closed_node(after))
        if not is_required and not self.chain.contiguous:
            following = self.place(index + 1, needed, room)
            if self.can_go_on(following) and not self.is_hopeless(following):
                self.made.skip(node, self.ready_node(following))

    def leave_closed(self, place: Place) -> None:
        index, needed, room = place
        node = self.closed[place]
        if self.can_end(place):
            self.made.skip(node, self.end)
        if index == self.n_items and self.chain.rest is not None and max(needed, room or 0) > MAX_COUNTED and self.made.table not in self.made.frames:
            self.made.todo.append((Repeat(Seq((self.chain.separator, self.chain.rest)), max(needed, 1), room), node, self.end))
        elif self.can_go_on(place):
            self.made.todo.append((self.chain.separator, node, self.ready_node(place)))

    def add_member(self, member: Expression, start: int, end: int) -> None:
        """A copy of the member, or a call where counts make several copies of a heavy one."""
        if self.is_counted and self.made.table not in self.made.frames and has_weight_over(member, MAX_COPIED):
            self.made.call(start, end, self.made.part_table(member))
        else:
            self.made.todo.append((member, start, end))

    def ready_node(self, place: Place) -> int:
        return self.node(self.ready, place, is_closed=False)

    def closed_node(self, place: Place) -> int:
        return self.node(self.closed, place, is_closed=True)

    def node(self, nodes: dict[Place, int], place: Place, *, is_closed: bool) -> int:
        node = nodes.get(place)
        if node is None:
            node = nodes[place] = self.made.new_node()
            self.work.append((place, is_closed))
            if len(nodes) > MAX_NODES:
                raise LimitError("items times counts of a chain", None, MAX_NODES, "use fewer members or looser counts")
        return node
