"""How faithful sampling is done.

Rule: all of it is checked here, once.  Above: every module of this package.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from grammask.arguments import check_fields, is_whole, text
from grammask.decoding.sampling import is_number
from grammask.errors import SamplingError

__all__ = ["FaithfulOptions", "Method"]

Method = Literal["mask", "rejection", "asap", "smc", "awrs"]


@dataclass(frozen=True, slots=True)
class FaithfulOptions:
    """How to sample outputs with weights.

    method: "mask" - masking, for comparison: quick, biased, without weights;
        "rejection" - exact: the model runs free and what the grammar refuses is thrown away; dear where the grammar is improbable;
        "asap" - one output after the other by masks, away from beginnings that were found to lead to little (Park et al. 2024);
        "smc" - particles side by side by masks, each weighted by what its masks took away, multiplied where they do well and dropped
        where they do badly (Loula et al. 2025);
        "awrs" - as "smc", but each token is drawn by checking few tokens instead of masking all (Lipkin et al. 2025).
    particles: outputs to return. More of them make the weighted outputs more faithful (all methods but "mask" and "rejection").
    max_tokens: the most tokens of an output, the end token not counted; longer outputs are conditioned away.
    temperature: the model's scores are divided by it; the distribution to be faithful to is the model's at this temperature.
    seed: makes the draws repeatable; None does not.
    resample_below: "smc" and "awrs" draw the particles anew when their effective number falls below this part of them; 0 never does.
    max_rejections: "awrs" takes a mask after this number of refused tokens at one place.
    max_forward_passes: a bound on the work of "rejection" and "asap".
    Raises SamplingError for values out of range.
    """

    method: Method = "awrs"
    particles: int = 16
    max_tokens: int = 256
    temperature: float = 1.0
    seed: int | None = None
    resample_below: float = 0.5
    max_rejections: int = 64
    max_forward_passes: int = 100_000

    def __post_init__(self) -> None:
        check_fields(self, method=text)
        if self.method not in get_args(Method):
            raise SamplingError("method", self.method, f"give one of {', '.join(get_args(Method))}")
        for name in ("particles", "max_tokens", "max_rejections", "max_forward_passes"):
            value = getattr(self, name)
            if not (is_whole(value) and value >= 1):
                raise SamplingError(name, value, "give a whole number from 1 up")
        if not (is_number(self.temperature) and 0 < self.temperature < math.inf):
            raise SamplingError("temperature", self.temperature, "give a finite number above 0")
        if self.seed is not None and not (is_whole(self.seed) and self.seed >= 0):
            raise SamplingError("seed", self.seed, "give a whole number from 0 up, or None")
        if not (is_number(self.resample_below) and 0 <= self.resample_below <= 1):
            raise SamplingError("resample_below", self.resample_below, "give a number from 0 to 1")
