"""`python -m grammask.tools.bench.forced`: how many tokens MaskBench's grammars force, and whether they are the tokenizer's own.

Valid instances are written under their schemas: forced tokens where the grammar leaves no choice, and between them the tokens of the text's own
tokenization, as a model would that writes as its tokenizer does. An output is *equal* if all its tokens are those of that tokenization.
Rule: nothing is timed, so the figures are the same on every machine.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import grammask
from grammask.errors import EmptyLanguageError, GrammaskError, UnsupportedFeatureError
from grammask.tools.bench.record import circumstances, write_record
from grammask.tools.bench.tokenizer import add_tokenizer, tokenizer_of

__all__ = ["main", "measure", "written"]

SHARED = Path("..") / "shared" / "data" / "maskbench.jsonl.xz"
SEPARATORS: dict[Literal["compact", "spaced"], tuple[str, str]] = {"compact": (",", ":"), "spaced": (", ", ": ")}
LONGEST = 4_000  # characters of an instance


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: measured; 3: the tokenizer's file or the data cannot be read, or it says not how a text is encoded."""
    parser = argparse.ArgumentParser(prog="python -m grammask.tools.bench.forced", description=(__doc__ or "").partition("\n")[0].partition(": ")[2])
    add_tokenizer(parser)
    parser.add_argument("--data", type=Path, default=SHARED, help="MaskBench's schemas (default: %(default)s)")
    parser.add_argument("--schemas", type=int, default=400, help="how many of them, drawn by a fixed seed")
    parser.add_argument("--record", type=Path, default=Path("benchmarks") / "record")
    options = parser.parse_args(arguments)
    try:
        vocabulary = tokenizer_of(options)
        pairs = list(instances(options.data, options.schemas))
    except (GrammaskError, OSError) as error:
        print(f"grammask bench: {error}", file=sys.stderr)
        return 3
    if vocabulary.encode is None:
        print("grammask bench: the file does not say how a text is encoded; give one that does, such as tokenizer.json", file=sys.stderr)
        return 3
    figures = {style: measure(vocabulary, pairs, style) for style in SEPARATORS}
    for style, figure in figures.items():
        print(f"{style:8} {figure['outputs']} outputs, {figure['forced_share']:.1%} of {figure['tokens']} tokens forced, {figure['equal_share']:.1%} equal")
    about = circumstances(["grammask"], {"vocabulary": len(vocabulary), "schemas": options.schemas})
    print(write_record(options.record, f"forced-{about['date']}-{len(vocabulary)}", {**about, "figures": figures}))
    return 0


def instances(data: Path, wanted: int) -> Iterator[tuple[Any, Any]]:
    """Schemas with a valid instance each, drawn by a fixed seed."""
    with lzma.open(data, "rt", encoding="utf-8") as lines:
        records = list(lines)
    random.Random(0).shuffle(records)
    for line in records[:wanted]:
        record = json.loads(line)
        valid = next((test["data"] for test in record["tests"] if test["valid"]), None)
        if valid is not None and len(json.dumps(valid)) <= LONGEST:
            yield record["schema"], valid


def measure(vocabulary: grammask.Vocabulary, pairs: Sequence[tuple[Any, Any]], style: Literal["compact", "spaced"]) -> dict[str, float]:
    """Outputs that the grammar has in this style, their tokens, how many were forced, how many outputs are equal."""
    encode = vocabulary.encode
    assert encode is not None  # the caller has looked
    outputs = tokens = forced = equal = 0
    for schema, value in pairs:
        text = json.dumps(value, ensure_ascii=False, separators=SEPARATORS[style])
        matcher = _matcher(schema, style, vocabulary)
        token_ids = encode(text)
        if matcher is None or matcher.draft(token_ids) < len(token_ids):  # refused by name, or members in another order than the schema's
            continue
        found = written(matcher, token_ids)
        outputs += 1
        tokens += len(token_ids)
        equal += found is not None
        forced += found or 0
    return {"outputs": outputs, "tokens": tokens, "forced": forced, "equal": equal, "forced_share": forced / tokens, "equal_share": equal / outputs}


def _matcher(schema: Any, style: Literal["compact", "spaced"], vocabulary: grammask.Vocabulary) -> grammask.Matcher | None:
    try:
        grammar = grammask.json_schema(json.dumps(schema), grammask.JsonSchemaOptions(whitespace=style))
        return grammask.compile(grammar, vocabulary).matcher()
    except (UnsupportedFeatureError, EmptyLanguageError):
        return None


def written(matcher: grammask.Matcher, wanted: Sequence[int]) -> int | None:
    """Write tokens, forced ones without looking at them; how many were forced, None if they were others than the wanted."""
    taken: list[int] = []
    n_forced = 0
    while len(taken) < len(wanted):
        forced = matcher.forced_tokens(taken)
        if forced and list(wanted[len(taken) : len(taken) + len(forced)]) != forced:
            return None
        n_forced += len(forced)
        new = forced or [wanted[len(taken)]]
        matcher.advance_many(new)
        taken += new
    return n_forced


if __name__ == "__main__":
    sys.exit(main())
