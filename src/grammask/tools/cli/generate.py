"""`grammask generate`: a model answers a prompt in a text that obeys a grammar."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import grammask
from grammask.tools.cli.grammar_options import (
    ChoiceOption,
    GrammarOption,
    KindOption,
    RegexOption,
    SchemaOption,
    TypeOption,
    UnsupportedOption,
    in_unicode,
    read_grammar,
    read_text,
)  # fmt: skip
from grammask.tools.cli.outcome import Exit

if TYPE_CHECKING:
    from grammask.decoding.result import Result
    from grammask.integrations.llama_cpp import ModelStream

__all__ = ["generate"]


def generate(
    prompt: Annotated[str, typer.Argument(metavar="PROMPT", help="What to ask; - reads it from standard input.")],
    schema: SchemaOption = None,
    regex: RegexOption = None,
    choice: ChoiceOption = None,
    type_name: TypeOption = None,
    grammar_file: GrammarOption = None,
    kind: KindOption = None,
    unsupported: UnsupportedOption = "refuse",
    model: Annotated[Path | None, typer.Option(metavar="FILE", help="A GGUF file; without it, the embedded model.")] = None,
    max_tokens: Annotated[int, typer.Option(metavar="N", help="Length limit; near it the text is closed, so that it stays valid.")] = 256,
    temperature: Annotated[float, typer.Option(metavar="T", help="0 always takes the likeliest token.")] = 0.0,
    seed: Annotated[int | None, typer.Option(metavar="S", help="Makes draws repeatable.")] = None,
    threads: Annotated[int | None, typer.Option(metavar="N", help="Threads that compute; by default one for each processor, at most 8.")] = None,
    describe: Annotated[bool, typer.Option("--describe/--no-describe", help="Put the grammar into the prompt too.")] = True,
    stream: Annotated[bool, typer.Option("--stream", help="Write the text while it is being generated.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object: text, value, finish_reason, token_ids, stats.")] = False,
) -> None:
    """Let a model answer PROMPT in a text that obeys a grammar. The text alone goes to standard output."""
    if stream and as_json:
        raise typer.BadParameter("--stream and --json exclude each other")
    grammar = read_grammar(schema, regex, choice, type_name, grammar_file, kind, unsupported)
    question = read_text("-", "prompt") if prompt == "-" else in_unicode(prompt, "PROMPT")
    with _shown_on_terminal("loading the model"):
        loaded = grammask.load_model(model, n_threads=threads)
    with loaded, loaded.stream(question, grammar, max_tokens=max_tokens, temperature=temperature, seed=seed, describe=describe) as pieces:
        result = _streamed(pieces) if stream else _whole(pieces)
    if not stream:
        print(json.dumps(_full(result), ensure_ascii=False) if as_json else result.text)
    _note(result)
    if result.finish_reason != "complete":
        raise typer.Exit(Exit.INCOMPLETE)


def _streamed(pieces: ModelStream) -> Result:
    for piece in pieces:
        print(piece, end="", flush=True)
    print()
    return pieces.result


def _whole(pieces: ModelStream) -> Result:
    with _shown_on_terminal("generating") as show:
        for _ in pieces:
            show(f"generating: {len(pieces.token_ids)} tokens")
    return pieces.result


def _full(result: Result) -> dict[str, Any]:
    """The result as JSON. `value` is what the text says in JSON, or the text itself; None if it is not complete."""
    in_json = result.grammar is not None and result.grammar.decode is not None
    complete = result.finish_reason == "complete"
    stats = {**asdict(result.stats), "tokens_per_second": result.stats.tokens_per_second, "mask_share": result.stats.mask_share}
    return {
        "text": result.text,
        "value": None if not complete else json.loads(result.text) if in_json else result.text,
        "finish_reason": result.finish_reason,
        "token_ids": list(result.token_ids),
        "stats": stats,
    }


@contextmanager
def _shown_on_terminal(doing: str) -> Iterator[Callable[[str], None]]:
    """Show what is being done on standard error, if that is a terminal; what it gives changes the words."""
    if not sys.stderr.isatty():
        yield lambda _words: None
        return
    from rich.console import Console

    with Console(stderr=True).status(doing) as status:
        yield status.update


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
