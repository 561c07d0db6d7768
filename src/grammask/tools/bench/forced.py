"""`python -m grammask.tools.bench.forced`: how many tokens MaskBench's grammars force, and whether they are the tokenizer's own.

Valid instances are written under their schemas: forced tokens where the grammar leaves no choice, and between them the tokens of the text's own
tokenization, as a model would that writes as its tokenizer does. An output is *equal* if all its tokens are those of that tokenization.
Rule: nothing is timed, so the figures are the same on every machine.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import grammask
from grammask.errors import EmptyLanguageError, UnsupportedFeatureError
from grammask.tools.bench.instances import add_instances, tokenizer_and_instances
from grammask.tools.bench.record import circumstances, write_record

__all__ = ["main", "measure", "written"]

SEPARATORS: dict[Literal["compact", "spaced"], tuple[str, str]] = {"compact": (",", ":"), "spaced": (", ", ": ")}


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: measured; 3: the tokenizer's file or the data cannot be read, or it says not how a text is encoded."""
    parser = argparse.ArgumentParser(prog="python -m grammask.tools.bench.forced", description=(__doc__ or "").partition("\n")[0].partition(": ")[2])
    add_instances(parser, 400)
    parser.add_argument("--record", type=Path, default=Path("benchmarks") / "record")
    options = parser.parse_args(arguments)
    found = tokenizer_and_instances(options)
    if found is None:
        return 3
    vocabulary, pairs = found
    figures = {style: measure(vocabulary, pairs, style) for style in SEPARATORS}
    for style, figure in figures.items():
        print(f"{style:8} {figure['outputs']} outputs, {figure['forced_share']:.1%} of {figure['tokens']} tokens forced, {figure['equal_share']:.1%} equal")
    about = circumstances(["grammask"], {"vocabulary": len(vocabulary), "schemas": options.schemas})
    print(write_record(options.record, f"forced-{about['date']}-{len(vocabulary)}", {**about, "figures": figures}))
    return 0


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
