"""`grammask generate`: a model answers a prompt in a text that obeys a grammar."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

import grammask
from grammask.tools.cli.grammar_options import (
    ChoiceOption,
    GrammarOption,
    KindOption,
    OrderOption,
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
    from grammask.decoding.faithful.outputs import FaithfulResult
    from grammask.decoding.result import Result
    from grammask.grammar.grammar import Grammar
    from grammask.integrations.llama_cpp import Model, ModelStream

__all__ = ["generate"]

DECODING = "How the text comes about"


def generate(
    prompt: Annotated[str, typer.Argument(metavar="PROMPT", help="What to ask; - reads it from standard input.")],
    schema: SchemaOption = None,
    regex: RegexOption = None,
    choice: ChoiceOption = None,
    type_name: TypeOption = None,
    grammar_file: GrammarOption = None,
    kind: KindOption = None,
    unsupported: UnsupportedOption = "refuse",
    property_order: OrderOption = "schema",
    model: Annotated[Path | None, typer.Option(metavar="FILE", help="A GGUF file; without it, the embedded model.")] = None,
    max_tokens: Annotated[int, typer.Option(metavar="N", help="Length limit; near it the text is closed, so that it stays valid.")] = 256,
    temperature: Annotated[float, typer.Option(metavar="T", help="0 always takes the likeliest token.")] = 0.0,
    seed: Annotated[int | None, typer.Option(metavar="S", help="Makes draws repeatable.")] = None,
    threads: Annotated[int | None, typer.Option(metavar="N", help="Threads that compute; by default one for each processor, at most 8.")] = None,
    describe: Annotated[bool, typer.Option("--describe/--no-describe", help="Put the grammar into the prompt too.")] = True,
    forced_text: Annotated[
        Literal["sample", "append", "draft"],
        typer.Option(
            "--forced-text", rich_help_panel=DECODING, help="Where only one text can follow: ask the model, put it there, or have it checked at once."
        ),
    ] = "sample",
    canonical: Annotated[bool, typer.Option("--canonical", rich_help_panel=DECODING, help="Only tokens that the model's own tokenizer would cut.")] = False,
    heal: Annotated[bool, typer.Option("--heal", rich_help_panel=DECODING, help="Mend a token that a prompt without chat template breaks off in.")] = False,
    or_refusal: Annotated[
        bool, typer.Option("--or-refusal", rich_help_panel=DECODING, help="Let the model decline in words; then the exit code is 4.")
    ] = False,
    faithful: Annotated[
        Literal["rejection", "asap", "smc", "awrs"] | None,
        typer.Option(
            "--faithful", rich_help_panel=DECODING, help="Draw by weights, as the model itself would given the grammar, at temperature 1 or --temperature."
        ),
    ] = None,
    particles: Annotated[int, typer.Option(metavar="N", rich_help_panel=DECODING, help="Outputs that --faithful weighs.")] = 16,
    stream: Annotated[bool, typer.Option("--stream", help="Write the text while it is being generated.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object: text, value, finish_reason, token_ids, stats.")] = False,
) -> None:
    """Let a model answer PROMPT in a text that obeys a grammar. The text alone goes to standard output."""
    reading = grammask.JsonSchemaOptions(unsupported=unsupported, property_order=property_order)
    _check_together(stream, as_json, faithful, {"--canonical": canonical, "--heal": heal, "--or-refusal": or_refusal, "--forced-text": forced_text != "sample"})
    grammar = read_grammar(schema, regex, choice, type_name, grammar_file, kind, reading)
    if or_refusal:
        grammar = grammask.or_refusal(grammar)
    question = read_text("-", "prompt") if prompt == "-" else in_unicode(prompt, "PROMPT")
    with _shown_on_terminal("loading the model"):
        loaded = grammask.load_model(model, n_threads=threads)
    settings: dict[str, Any] = {"max_tokens": max_tokens, "seed": seed}
    with loaded:
        if faithful is not None:
            options = grammask.FaithfulOptions(faithful, particles, temperature=temperature or 1.0, **settings)
            _show_faithful(_faithful(loaded, question, grammar, describe, options), seed, as_json)
            return
        settings |= {"temperature": temperature, "describe": describe, "heal": heal, "forced_text": forced_text, "canonical": canonical}
        with loaded.stream(question, grammar, **settings) as pieces:
            result = _streamed(pieces) if stream else _whole(pieces)
    if not stream:
        print(json.dumps(_full(result), ensure_ascii=False) if as_json else result.text)
    _note(result)
    if result.finish_reason != "complete":
        raise typer.Exit(Exit.INCOMPLETE)


def _check_together(stream: bool, as_json: bool, faithful: str | None, others: dict[str, bool]) -> None:
    if stream and as_json:
        raise typer.BadParameter("--stream and --json exclude each other")
    if faithful is not None:
        for name, given in {"--stream": stream, **others}.items():
            if given:
                raise typer.BadParameter(f"--faithful and {name} exclude each other")


def _faithful(model: Model, question: str, grammar: Grammar, describe: bool, options: grammask.FaithfulOptions) -> FaithfulResult:
    """Weighted outputs."""
    constraint = grammask.compile(grammar, model.vocabulary)
    prompt = model.prompt_token_ids(question, grammar=constraint if describe else None)
    with _shown_on_terminal("generating"), model.session() as session:
        return grammask.sample_faithfully(session, prompt, constraint, options)


def _show_faithful(result: FaithfulResult, seed: int | None, as_json: bool) -> None:
    """One of the outputs, by their weights; with --json all of them."""
    import numpy as np

    if not as_json:
        print(result.draw(np.random.default_rng(seed)).text)
        return
    outputs = [
        {"text": output.text, "probability": float(share), "token_ids": list(output.token_ids)}
        for output, share in zip(result.outputs, result.probabilities, strict=True)
    ]
    figures = {"log_evidence": result.log_evidence, "effective_size": result.effective_size, "forward_passes": result.forward_passes}
    print(json.dumps({"method": result.method, "outputs": outputs, **figures}, ensure_ascii=False))


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
        "canonical": result.canonical,
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
    if result.canonical is False:
        print("no canonical output was found, so the tokens are not all the tokenizer's own", file=sys.stderr)
    closed = f", closed with {stats.closing_tokens} tokens to fit the limit" if stats.closing_tokens else ""
    print(
        f"{result.finish_reason}: {stats.tokens} tokens, {stats.tokens_per_second:.0f} tokens/s, masks {stats.mask_share:.1%} of the time{closed}",
        file=sys.stderr,
    )
