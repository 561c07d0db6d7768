"""`grammask generate`: a model answers a prompt in a text that obeys a grammar."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grammask.tools.cli.grammar_options import ChoiceOption, RegexOption, SchemaOption, TypeOption, read_grammar, read_text
from grammask.tools.cli.outcome import Exit

if TYPE_CHECKING:
    from grammask.decoding.result import Result

__all__ = ["generate"]


def generate(
    prompt: Annotated[str, typer.Argument(metavar="PROMPT", help="What to ask; - reads it from standard input.")],
    schema: SchemaOption = None,
    regex: RegexOption = None,
    choice: ChoiceOption = None,
    type_name: TypeOption = None,
    model: Annotated[Path | None, typer.Option(metavar="FILE", help="A GGUF file; without it, the embedded model.")] = None,
    max_tokens: Annotated[int, typer.Option(metavar="N", help="Length limit; near it the text is closed, so that it stays valid.")] = 256,
    temperature: Annotated[float, typer.Option(metavar="T", help="0 always takes the likeliest token.")] = 0.0,
    seed: Annotated[int | None, typer.Option(metavar="S", help="Makes draws repeatable.")] = None,
    describe: Annotated[bool, typer.Option("--describe/--no-describe", help="Put the grammar into the prompt too.")] = True,
    stream: Annotated[bool, typer.Option("--stream", help="Write the text while it is being generated.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object: text, value, finish_reason, token_ids, stats.")] = False,
) -> None:
    """Let a model answer PROMPT in a text that obeys a grammar. The text alone goes to standard output."""
    if stream and as_json:
        raise typer.BadParameter("--stream and --json exclude each other")
    grammar = read_grammar(schema, regex, choice, type_name)
    question = read_text("-", "prompt") if prompt == "-" else prompt
    with _on_terminal("loading the model"):
        loaded = _load(model)
    settings = {"max_tokens": max_tokens, "temperature": temperature, "seed": seed, "describe": describe}
    with loaded:
        if stream:
            result = _streamed(loaded.stream(question, grammar, **settings))
        else:
            with _on_terminal("generating"):
                result = loaded.generate(question, grammar, **settings)
            print(json.dumps(_full(result), ensure_ascii=False) if as_json else result.text)
    _note(result)
    if result.finish_reason != "complete":
        raise typer.Exit(Exit.INCOMPLETE)


def _load(path: Path | None) -> Any:
    import grammask

    return grammask.load_model() if path is None else grammask.load_model(path)


def _streamed(pieces: Any) -> Result:
    for piece in pieces:
        print(piece, end="", flush=True)
    print()
    result: Result = pieces.result
    return result


def _full(result: Result) -> dict[str, Any]:
    """The result as JSON. `value` is what the text says in JSON, or the text itself; None if it is not complete."""
    value = result.text if result.grammar is None or result.grammar.decode is None else json.loads(result.text) if result.finish_reason == "complete" else None
    stats = {**asdict(result.stats), "tokens_per_second": result.stats.tokens_per_second, "mask_share": result.stats.mask_share}
    return {"text": result.text, "value": value, "finish_reason": result.finish_reason, "token_ids": list(result.token_ids), "stats": stats}


@contextmanager
def _on_terminal(doing: str) -> Iterator[None]:
    """Show what is being done on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(doing):
        yield


def _note(result: Result) -> None:
    """One line of figures on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        return
    stats = result.stats
    closed = f", closed with {stats.closing_tokens} tokens to fit the limit" if stats.closing_tokens else ""
    print(
        f"{result.finish_reason}: {stats.tokens} tokens, {stats.tokens_per_second:.0f} tokens/s, masks {stats.mask_share:.1%} of the time{closed}",
        file=sys.stderr,
    )
