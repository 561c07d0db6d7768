import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from grammask.kernel.matcher import Matcher
from grammask.kernel.store import Bound

def explore(bound: Bound, most: int) -> tuple[bytes, bytes, bytes]: ...
def successors_of(matcher: Matcher, brief: bool) -> list[tuple[NDArray[np.int32], int]]: ...

@disjoint_base
class Exploration: ...

@disjoint_base
class Prospect: ...
