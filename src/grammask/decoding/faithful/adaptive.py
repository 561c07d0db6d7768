"""Outputs one after the other, each drawn away from beginnings that earlier ones showed to lead to little.

For each beginning met, the *future* is kept: an upper bound on the probability that the free model goes on from there into the language,
1 where nothing is known. A token is drawn by its probability times the future behind it. When an output is done, the futures along it
are worked out anew from its end: that of a beginning is the sum over its legal tokens of probability times future. What a mask took away
near the end so lowers the chance of all that leads there.

Rule: futures never rise, and are exact where everything below has been met.  Below: reader, tokens.  Above: sampler.
Source: Park et al. 2024 (grammar-aligned decoding). The weights are added here: with them every output counts rightly from the first on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from grammask.decoding.faithful.outputs import log_mean
from grammask.decoding.faithful.reader import Path, Probabilities, Reader
from grammask.decoding.faithful.tokens import place_of
from grammask.errors import SamplingError

__all__ = ["Node", "adaptive"]


@dataclass(slots=True)
class Node:
    """A beginning that was met.

    legal: the probability of its legal tokens. future: see above. children: behind each token that was drawn, with its probability.
    """

    legal: float = 1.0
    future: float = 1.0
    children: dict[int, tuple[float, Node]] = field(default_factory=dict)

    def settle(self) -> None:
        """Work the future out from those of the children; where none is known it is 1."""
        lost = math.fsum(probability * (1 - child.future) for probability, child in self.children.values())
        self.future = max(0.0, self.legal - lost)


def adaptive(reader: Reader, start: Path, rng: np.random.Generator) -> tuple[list[Path], float]:
    """The outputs in the order in which they were drawn, and the estimated probability of the language.

    A draw that finds the end of the road (all legal tokens improbable, or max_tokens reached) counts as an output of no weight, but
    another is drawn in its place. Raises SamplingError once nothing is left, or if max_forward_passes are spent without any output.
    """
    root = Node()
    paths: list[Path] = []
    log_weights: list[float] = []
    while len(paths) < reader.options.particles and root.future > 0 and reader.passes < reader.options.max_forward_passes:
        path = _drawn(reader, start.copy(), root, rng)
        log_weights.append(path.log_weight)
        if path.log_weight > -math.inf:
            paths.append(path)
    if not paths:
        raise SamplingError("max_forward_passes", reader.options.max_forward_passes, "no output of the grammar was found, or the model rules out all of them")
    return paths, log_mean(log_weights)


def _drawn(reader: Reader, path: Path, root: Node, rng: np.random.Generator) -> Path:
    met = [root]
    while not path.is_done:
        node = met[-1]
        probabilities, ids = reader.probabilities(path.token_ids), reader.legal_ids(path)
        legal = probabilities[ids]
        node.legal = float(legal.sum())
        token_id, step = _chosen(node, ids, legal, rng)
        if token_id is None:
            path.die()
            break
        child = node.children.setdefault(token_id, (float(probabilities[token_id]), Node()))[1]
        path.log_weight += step
        path.take(token_id)
        met.append(child)
    _look_back(met, path)
    return path


def _chosen(node: Node, ids: NDArray[np.intp], legal: Probabilities, rng: np.random.Generator) -> tuple[int | None, float]:
    """A token, and the logarithm of the model's probability for it over the one it was drawn with."""
    futures = np.ones(ids.size)
    known = [token_id for token_id in node.children if token_id in ids]
    futures[np.searchsorted(ids, known)] = [node.children[token_id][1].future for token_id in known]
    weights = legal * futures
    total = float(weights.sum())
    if not total > 0:
        return None, -math.inf
    place = place_of(weights, rng)
    return int(ids[place]), math.log(total) - math.log(futures[place])


def _look_back(met: list[Node], path: Path) -> None:
    """Work out the futures along a path from its end, which is 1 if it is an output and 0 if nothing could follow."""
    if path.log_weight == -math.inf:
        met[-1].future = 0.0
        met = met[:-1]
    for node in reversed(met):
        if node.children:
            node.settle()
