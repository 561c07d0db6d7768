"""Outputs drawn one by one without regard to each other: by masks alone, and by throwing away what the grammar refuses.

Below: reader, tokens.  Above: sampler.
"""

from __future__ import annotations

import math

import numpy as np

from grammask.decoding.faithful.reader import Path, Reader
from grammask.decoding.faithful.tokens import by_mask, place_of
from grammask.errors import SamplingError

__all__ = ["masked", "rejected"]


def masked(reader: Reader, start: Path, rng: np.random.Generator) -> tuple[list[Path], None]:
    """Outputs as a mask at each step gives them. They carry no weight but that of being whole."""
    return [_masked_once(reader, start.copy(), rng) for _ in range(reader.options.particles)], None


def _masked_once(reader: Reader, path: Path, rng: np.random.Generator) -> Path:
    while not path.is_done:
        token_id, _ = by_mask(reader.probabilities(path.token_ids), reader.legal_ids(path), rng)
        if token_id is None:
            path.die()
        else:
            path.take(token_id)
    return path


def rejected(reader: Reader, start: Path, rng: np.random.Generator) -> tuple[list[Path], float]:
    """Outputs of the free model, those that the grammar refuses thrown away as soon as it does; and how many in all were needed.

    Raises SamplingError if max_forward_passes come to nothing at all; with fewer outputs than asked for it stops in silence.
    """
    paths: list[Path] = []
    attempts = 0
    while len(paths) < reader.options.particles and reader.passes < reader.options.max_forward_passes:
        attempts += 1
        path = start.copy()
        if _is_kept(reader, path, rng):
            paths.append(path)
    if not paths:
        hint = 'the free model gave no output of the grammar in so many passes; use method="awrs", or allow for more'
        raise SamplingError("max_forward_passes", reader.options.max_forward_passes, hint)
    return paths, math.log(len(paths) / attempts)


def _is_kept(reader: Reader, path: Path, rng: np.random.Generator) -> bool:
    while not path.is_done:
        probabilities = reader.probabilities(path.token_ids)
        rest = max(0.0, 1 - float(probabilities.sum()))  # of ids above the vocabulary
        token_id = place_of(np.append(probabilities, rest), rng)
        if token_id == probabilities.size or not reader.is_legal(path, token_id):
            return False
        path.take(token_id)
    return True
