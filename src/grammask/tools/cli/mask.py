"""`grammask mask`: the tokens that may come next at one position of one grammar."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
    read_grammar,
)  # fmt: skip
from grammask.tools.cli.outcome import Refusal
from grammask.tools.cli.tokenizer import TOKENIZER, EndOption, read_vocabulary

if TYPE_CHECKING:
    from grammask.decoding.matcher import Matcher
    from grammask.vocabulary import Vocabulary

__all__ = ["mask"]


def mask(
    tokenizer: Annotated[Path, TOKENIZER],
    schema: SchemaOption = None,
    regex: RegexOption = None,
    choice: ChoiceOption = None,
    type_name: TypeOption = None,
    grammar_file: GrammarOption = None,
    kind: KindOption = None,
    unsupported: UnsupportedOption = "refuse",
    property_order: OrderOption = "schema",
    eos: EndOption = None,
    after: Annotated[str, typer.Option(metavar="TEXT", help="The output so far; its bytes as they are.")] = "",
    limit: Annotated[int, typer.Option(metavar="N", min=0, help="Show this many tokens; 0 shows all.")] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")] = False,
) -> None:
    """Show which tokens of a tokenizer may come next: how many, their ids, their text."""
    options = grammask.JsonSchemaOptions(unsupported=unsupported, property_order=property_order)
    grammar = read_grammar(schema, regex, choice, type_name, grammar_file, kind, options)
    vocabulary = read_vocabulary(tokenizer, eos)
    matcher = after_text(grammask.compile(grammar, vocabulary).matcher(), _written(after), vocabulary)
    allowed = [int(token_id) for token_id in matcher.allowed_tokens()]
    shown = allowed[: limit or None]
    if as_json:
        tokens = [{"id": token_id, **describe(vocabulary, token_id)} for token_id in shown]
        print(json.dumps({"count": len(allowed), "vocabulary_size": len(vocabulary), "complete": matcher.is_complete, "tokens": tokens}, ensure_ascii=False))
        return
    print(f"{len(allowed):,} of {len(vocabulary):,} tokens may come next" + ("; the output may also end here" if matcher.is_complete else ""))
    for token_id in shown:
        about = describe(vocabulary, token_id)
        words = json.dumps(about["text"], ensure_ascii=False) if "text" in about else about["name"]
        print(f"{token_id:>8}  {words}{'  ends the output' if token_id in vocabulary.eos_ids else ''}")
    if len(shown) < len(allowed):
        print(f"     ...  {len(allowed) - len(shown):,} more (--limit 0 shows all)")


def _written(after: str) -> bytes:
    """The bytes of `--after` as they were given, UTF-8 or not: an output so far may end within a character."""
    try:
        return after.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise Refusal(f"--after cannot be written in UTF-8 (character {error.start})") from error


def describe(vocabulary: Vocabulary, token_id: int) -> dict[str, str]:
    """What a token is for a reader: its `text` (bytes that are no UTF-8 as \\xNN) and bytes in `hex`, or the `name` of a special one."""
    token = vocabulary.tokens[token_id]
    if token:
        return {"text": token.decode("utf-8", "backslashreplace"), "hex": token.hex()}
    names = {number: name for name, number in vocabulary.specials.items()}
    return {"name": names.get(token_id, "no text")}


def after_text(matcher: Matcher, text: bytes, vocabulary: Vocabulary) -> Matcher:
    """The matcher moved over `text`, by any tokens that spell it: which ones makes no difference to what may follow.

    Raises Refusal, which says how far the grammar allows the text. Cost: one look-up for each token that fits at each place.
    """
    ids = {token: token_id for token_id, token in enumerate(vocabulary.tokens) if token}
    longest = max(map(len, ids), default=0)
    reached: dict[int, Any] = {0: matcher}
    for start in range(len(text)):
        here = reached.get(start)
        if here is None:
            continue
        for end in range(start + 1, min(len(text), start + longest) + 1):
            token_id = ids.get(text[start:end])
            if token_id is not None and end not in reached and here.accepts(token_id):
                reached[end] = here.copy()
                reached[end].advance(token_id)
    if len(text) in reached:
        moved: Matcher = reached[len(text)]
        return moved
    furthest = max(reached)
    before, then = (part.decode("utf-8", "backslashreplace") for part in (text[:furthest], text[furthest:]))
    raise Refusal(f"--after: the grammar allows {before!r}, but not {then[:40]!r} after it (byte {furthest})")
