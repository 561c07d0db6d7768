"""How much of the random testing is done: a little in every run, all of it with GRAMMASK_THOROUGH=1, or a stated number of cases."""

from __future__ import annotations

import os

THOROUGH = os.environ.get("GRAMMASK_THOROUGH") == "1"


def n_cases(usual: int, thorough: int) -> int:
    """Cases for one test. GRAMMASK_CASES replaces the number of the agreement test (300) and scales the others with it."""
    wanted = os.environ.get("GRAMMASK_CASES")
    if wanted:
        return max(1, usual * int(wanted) // 300)
    return thorough if THOROUGH else usual
