"""How far faithful sampling is from the exact distribution, against the forward passes spent: `python -m grammask.tools.bench.faithful`.

The model is a table over four tokens, so the model's distribution given the grammar is worked out by listing its outputs. Each method runs
many times with each number of particles; the mean of its weighted outputs is compared with the exact distribution.
Rule: nothing is timed, so the figures are the same on every machine for one seed.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import grammask
from grammask.decoding.faithful.options import Method
from grammask.tools.bench.record import circumstances, write_record

__all__ = ["main"]

METHODS: tuple[Method, ...] = ("mask", "rejection", "asap", "smc", "awrs")
PARTICLES = (1, 2, 4, 8, 16, 32, 64, 128)
PATTERN = "(a|b)(a|b|c){0,2}c"
LEAST_RUNS = 200  # particles of one run depend on each other, so it takes runs to see a bias
MAX_TOKENS = 4
END = 3

Outputs = Mapping[tuple[int, ...], float]


@cache
def following(token_ids: tuple[int, ...]) -> tuple[float, ...]:
    """The model: begins with a, after which it hardly ever gives the c that an output must end with; after b it often does."""
    if not token_ids:
        return 0.75, 0.2, 0.04, 0.01
    tilt = np.random.default_rng([7, *token_ids]).normal(size=4) * 0.3
    base = np.array([0.58, 0.37, 0.02, 0.03] if token_ids[0] == 0 else [0.1, 0.15, 0.6, 0.15])
    if token_ids[-1] == 2:
        base = np.array([0.1, 0.1, 0.1, 0.7])
    weights = base * np.exp(tilt)
    return tuple(float(weight) for weight in weights / weights.sum())


class Table:
    """A `LanguageModel` over `following`."""

    def __init__(self, vocabulary: grammask.Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._read: list[int] = []

    def begin(self, prompt_token_ids: Sequence[int]) -> None:  # noqa: ARG002  # the table does not depend on a prompt
        self._read = []

    def logits(self) -> NDArray[np.float32]:
        return np.asarray(np.log(following(tuple(self._read))), dtype=np.float32)

    def accept(self, token_id: int) -> None:
        self._read.append(token_id)

    def rewind(self, n: int) -> None:
        del self._read[len(self._read) - n :]


def exact(constraint: grammask.Constraint) -> tuple[Outputs, float]:
    """Every output with its probability given the grammar, and the probability of the grammar."""
    found: dict[tuple[int, ...], float] = {}
    waiting: list[tuple[tuple[int, ...], float, grammask.Matcher]] = [((), 1.0, constraint.matcher())]
    for token_ids, probability, matcher in waiting:
        if matcher.is_complete:
            found[token_ids] = probability * following(token_ids)[END]
        for token_id in range(END) if len(token_ids) < MAX_TOKENS else ():
            if matcher.accepts(token_id):
                after = matcher.copy()
                after.advance(token_id)
                waiting.append(((*token_ids, token_id), probability * following(token_ids)[token_id], after))
    total = math.fsum(found.values())
    return {token_ids: probability / total for token_ids, probability in found.items()}, total


def measured(constraint: grammask.Constraint, method: Method, particles: int, runs: int, truth: Outputs) -> dict[str, float]:
    """The distance of the mean over runs, and the mean number of forward passes of a run."""
    shares: defaultdict[tuple[int, ...], float] = defaultdict(float)
    passes = 0
    for seed in range(runs):
        options = grammask.FaithfulOptions(method, particles=particles, max_tokens=MAX_TOKENS, seed=seed)
        result = grammask.sample_faithfully(Table(constraint.vocabulary), [0], constraint, options)
        for output, share in zip(result.outputs, shares_of(result), strict=True):
            shares[output.token_ids] += share / runs
        passes += result.forward_passes
    distance = sum(abs(shares.get(key, 0.0) - truth.get(key, 0.0)) for key in {*shares, *truth}) / 2
    return {"particles": particles, "runs": runs, "forward_passes": passes / runs, "total_variation": distance}


def shares_of(result: grammask.FaithfulResult) -> list[float]:
    """The outputs' shares; none for a run that came to nothing."""
    alive = any(output.log_weight > -math.inf for output in result.outputs)
    return [float(share) for share in result.probabilities] if alive else [0.0] * len(result.outputs)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run all methods and write the figures and the plot."""
    parser = argparse.ArgumentParser(description="distance of faithful sampling from the exact distribution against forward passes")
    parser.add_argument("--draws", type=int, default=2048, help="outputs drawn for each method and number of particles")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/record"))
    chosen = parser.parse_args(arguments)
    vocabulary = grammask.Vocabulary([b"a", b"b", b"c", b""], eos_ids=[END])
    constraint = grammask.compile(grammask.regex(PATTERN), vocabulary)
    truth, evidence = exact(constraint)
    curves = {}
    for method in METHODS:
        sizes = PARTICLES if method not in ("mask", "rejection") else PARTICLES[:5]
        curves[method] = [measured(constraint, method, particles, max(LEAST_RUNS, chosen.draws // particles), truth) for particles in sizes]
        for row in curves[method]:
            print(f"{method:10} {row['particles']:4} particles {row['forward_passes']:9.1f} passes  distance {row['total_variation']:.3f}")
    about = circumstances(["grammask", "numpy"], {"draws": chosen.draws})
    record = {**about, "pattern": PATTERN, "max_tokens": MAX_TOKENS, "evidence": evidence, "outputs": len(truth), "draws": chosen.draws, "curves": curves}
    name = f"faithful-{about['date']}"
    write_record(chosen.out, name, record)
    draw(chosen.out / f"{name}.png", record)


def draw(path: Path, record: Mapping[str, Any]) -> None:
    """Write the plot: distance against passes, one line for each method."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    for method, rows in record["curves"].items():
        axes.plot([row["forward_passes"] for row in rows], [row["total_variation"] for row in rows], marker="o", label=method)
    axes.set(xscale="log", yscale="log", xlabel="forward passes of one run", ylabel="total-variation distance to the exact distribution")
    axes.set_title(f"{record['outputs']} outputs with probability {record['evidence']:.3f} together; {record['draws']:,} draws a point")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


if __name__ == "__main__":
    main()
