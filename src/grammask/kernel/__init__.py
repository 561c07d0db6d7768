"""The kernel: masks from tables. `Store`, `Bound` and `Matcher` come from the compiled modules.

GRAMMASK_KERNEL=reference selects the slow plain-Python twin instead; there is no silent fallback to it.
"""

import os
from typing import TYPE_CHECKING

__all__ = ["KERNEL", "Bound", "Matcher", "Store"]

KERNEL = os.environ.get("GRAMMASK_KERNEL", "compiled")
if KERNEL not in ("compiled", "reference"):
    raise ImportError(f"GRAMMASK_KERNEL is {KERNEL!r}; it may be 'compiled' or 'reference'")

if TYPE_CHECKING:
    from grammask.kernel.matcher import Matcher
    from grammask.kernel.store import Bound, Store
elif KERNEL == "reference":
    from grammask.kernel.reference import Bound, Matcher, Store
else:
    try:
        from grammask.kernel.matcher import Matcher
        from grammask.kernel.store import Bound, Store
    except ImportError as error:
        raise ImportError(
            f"the compiled kernel of grammask is missing ({error}); build it with 'pip install .' (needs a C compiler and Python's headers), "
            "or set GRAMMASK_KERNEL=reference for the slow Python twin"
        ) from error
