from collections.abc import Sequence
from typing import Final

from typing_extensions import disjoint_base

from grammask.kernel.tables import RuleTable, TextTable

STORE_BYTES: Final[int]
WORN_BYTES: Final[int]
BOUND_BYTES: Final[int]
BOUND_WORN_BYTES: Final[int]
STATES: Final[int]
RULE_NODES: Final[int]

@disjoint_base
class Store:
    eos_ids: Final[tuple[int, ...]]
    @property
    def is_worn(self) -> bool: ...
    def __init__(self, tokens: list[bytes], eos_ids: Sequence[int] = ()) -> None: ...
    def renewed(self) -> Store: ...
    def statistics(self) -> dict[str, int]: ...

@disjoint_base
class Bound:
    takes_prepared: bool
    store: Final[Store]
    @property
    def is_worn(self) -> bool: ...
    @property
    def tells_apart(self) -> bool: ...
    def __init__(self, store: Store, root: RuleTable | TextTable) -> None: ...
    def complete(self) -> None: ...
    def statistics(self) -> dict[str, int]: ...
