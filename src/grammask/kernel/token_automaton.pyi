from typing import Final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from grammask.kernel.store import Store

TABLE_BYTES: Final[int]

@disjoint_base
class TokenAutomaton:
    def __init__(self, store: Store, marks: bytes, edge_first: bytes, edges: bytes) -> None: ...
    def measure(self, most_transitions: int) -> tuple[int, int]: ...
    def rows(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]: ...
