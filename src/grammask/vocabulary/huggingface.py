"""Reader for Hugging Face tokenizers (tokenizer.json and the objects that write it).

A token's bytes follow from the tokenizer's *decoder*, the part that turns tokens into text; it is read here as a rule
for one token. Rule: a decoder under which a token has no bytes of its own (WordPiece's prefixes, suffixes, joining by
spaces) is refused, never guessed at.
`encode` is the tokenizer with its normalisation, prefix space and post-processing taken out, so that it spells the text.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from grammask.errors import GrammaskError, TokenizerFormatError
from grammask.vocabulary import byte_level
from grammask.vocabulary.pieces import byte_of
from grammask.vocabulary.token_table import OTHER_KIND, TokenTable, dense, known_ends, read_file

__all__ = ["HuggingFaceEncoder", "huggingface_table", "read_huggingface"]

Part = dict[str, Any]

_OTHER_FILES = {"tekken.json": "from_tekken", "tokenizer.model": "from_sentencepiece", "qwen.tiktoken": "from_tiktoken"}


def read_huggingface(tokenizer: Any) -> TokenTable:
    """The table of a path, a `tokenizers.Tokenizer` or a fast tokenizer of transformers. Raises TokenizerFormatError."""
    if isinstance(tokenizer, str | os.PathLike):
        return _from_path(Path(tokenizer))
    backend = getattr(tokenizer, "backend_tokenizer", tokenizer)
    source = f"{type(tokenizer).__module__}.{type(tokenizer).__name__}"
    if not hasattr(backend, "to_str"):
        hint = "of transformers, take the fast one: AutoTokenizer.from_pretrained(..., use_fast=True)"
        raise TokenizerFormatError(source, "it is neither a path nor a tokenizers.Tokenizer nor a fast tokenizer", hint)
    try:
        data = backend.to_str().encode()
    except Exception as error:  # tokenizers raises bare Exception for parts written in Python
        raise TokenizerFormatError(source, f"it cannot be serialised ({error})") from error
    table = huggingface_table(_parsed(data, source), source, data)
    own = _ends_of_object(tokenizer, len(table.tokens))
    table.ends = own or table.ends
    return table


def _ends_of_object(tokenizer: Any, n_tokens: int) -> tuple[int, ...]:
    """What a tokenizer of transformers names as its end, and the generation_config.json of the folder it came from."""
    folder = getattr(tokenizer, "name_or_path", None)
    listed = list(_ids_in(_config(Path(folder) / "generation_config.json"))) if isinstance(folder, str) else []
    listed += _ids_in({"eos_token_id": getattr(tokenizer, "eos_token_id", None)})
    return tuple(dict.fromkeys(i for i in listed if 0 <= i < n_tokens))


def _from_path(path: Path) -> TokenTable:
    if path.is_dir():
        path = _inside(path)
    hint = "nothing is downloaded: give a local file or folder" if not path.exists() else ""
    source, data = str(path), read_file(path, hint)
    content = _parsed(data, source)
    table = huggingface_table(content, source, data)
    ends = _ends_beside(path.parent, table.specials | _named(content["model"]))
    table.ends = tuple(i for i in ends if 0 <= i < len(table.tokens)) or table.ends
    return table


def _inside(folder: Path) -> Path:
    if (folder / "tokenizer.json").is_file():
        return folder / "tokenizer.json"
    other = next((f"it holds {name}, which grammask.Vocabulary.{reader} reads" for name, reader in _OTHER_FILES.items() if (folder / name).is_file()), "")
    raise TokenizerFormatError(str(folder), "there is no tokenizer.json in this folder", other)


def _parsed(data: bytes, source: str) -> Part:
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise TokenizerFormatError(source, f"it is not JSON ({error})") from error
    if not isinstance(content, dict) or not isinstance(content.get("model"), dict):
        raise TokenizerFormatError(source, "it is no tokenizer.json (an object with a model)", OTHER_KIND)
    return content


# --- end ids --------------------------------------------------------------------------------------------------------


def _named(model: Part) -> dict[str, int]:
    return model["vocab"] if isinstance(model["vocab"], dict) else {}


def _ends_beside(folder: Path, names: dict[str, int]) -> tuple[int, ...]:
    """The end ids that the files beside a tokenizer.json name: those of generating, and the tokenizer's own."""
    ends = list(_ids_in(_config(folder / "generation_config.json")))
    token = _config(folder / "tokenizer_config.json").get("eos_token")
    name = token.get("content") if isinstance(token, dict) else token
    if isinstance(name, str) and name in names:
        ends.append(names[name])
    return tuple(dict.fromkeys(ends or _ids_in(_config(folder / "config.json"))))


def _config(path: Path) -> Part:
    """A JSON object in a file; an empty one if there is no such file or it holds something else."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _ids_in(config: Part) -> Iterator[int]:
    ids = config.get("eos_token_id")
    for token_id in ids if isinstance(ids, list) else [ids]:
        if type(token_id) is int:
            yield token_id


# --- tokens ---------------------------------------------------------------------------------------------------------


def huggingface_table(content: Part, source: str, data: bytes) -> TokenTable:
    """The table of a tokenizer.json's parsed content; `data`: the same unparsed."""
    try:
        tokens, specials = _tokens(content, source)
        exact = _exact_pipeline(content)
    except GrammaskError:
        raise
    except (LookupError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise TokenizerFormatError(source, f"it is no complete tokenizer.json ({type(error).__name__}: {error})") from error
    encode = _encoder(data if exact == content else json.dumps(exact).encode(), source)
    return TokenTable(source, tokens, specials, known_ends(specials), encode)


def _tokens(content: Part, source: str) -> tuple[list[bytes], dict[str, int]]:
    """The bytes by id, and the specials."""
    to_bytes = _byte_rule(content, source)
    by_id = {token_id: to_bytes(piece) for piece, token_id in _vocabulary(content["model"])}
    specials = dict(_unknown(content["model"]))
    literal = _literal_rule(content, to_bytes)
    for token in content.get("added_tokens") or ():
        by_id[_whole(token["id"])] = literal(token["content"])
        if token.get("special"):
            specials[token["content"]] = token["id"]
    by_id |= dict.fromkeys(specials.values(), b"")
    return dense(by_id, source), specials


def _whole(token_id: Any) -> int:
    if type(token_id) is not int:
        raise TypeError(f"token id {token_id!r} is not a whole number")
    return token_id


def _vocabulary(model: Part) -> list[tuple[str, int]]:
    """(piece, id): a mapping in BPE models, a list of (piece, score) in unigram models."""
    vocabulary = model["vocab"]
    if isinstance(vocabulary, list):
        return [(piece, token_id) for token_id, (piece, _) in enumerate(vocabulary)]
    return [(piece, _whole(token_id)) for piece, token_id in vocabulary.items()]


def _unknown(model: Part) -> Iterator[tuple[str, int]]:
    """The token for what cannot be spelled; it carries no text."""
    vocabulary = model["vocab"]
    if isinstance(vocabulary, list):
        if isinstance(model.get("unk_id"), int):
            yield vocabulary[model["unk_id"]][0], model["unk_id"]
    elif model.get("unk_token") in vocabulary:
        yield model["unk_token"], vocabulary[model["unk_token"]]


def _parts(part: Part | None) -> Iterator[Part]:
    """The parts of a normaliser, pre-tokeniser or decoder, sequences taken apart."""
    if part is None:
        return
    inner = part.get("normalizers") or part.get("pretokenizers") or part.get("decoders")
    if part.get("type") == "Sequence":
        for each in inner or ():
            yield from _parts(each)
    else:
        yield part


def _has(part: Part | None, kind: str) -> bool:
    return any(each.get("type") == kind for each in _parts(part))


def _is_byte_level(content: Part) -> bool:
    """By the decoder; a tokenizer without one is judged by what its encoding does."""
    if content.get("decoder") is not None:
        return _has(content["decoder"], "ByteLevel")
    return _has(content.get("pre_tokenizer"), "ByteLevel") or _has(content.get("normalizer"), "ByteLevel")


def _byte_rule(content: Part, source: str) -> Callable[[str], bytes]:
    """The decoder as a rule piece -> bytes."""
    model = content["model"]
    if model.get("type") == "WordPiece" or model.get("continuing_subword_prefix") or model.get("end_of_word_suffix"):
        raise _no_bytes(source, "its tokens are parts of words between which spaces come and go (WordPiece, or marks at word ends)")
    if _is_byte_level(content):
        return byte_level.to_bytes
    replaced = dict(_replacements(content, source))
    has_bytes = bool(model.get("byte_fallback")) or _has(content.get("decoder"), "ByteFallback")

    def to_bytes(piece: str) -> bytes:
        byte = byte_of(piece) if has_bytes else None
        if byte is not None:
            return byte
        for written, meant in replaced.items():
            piece = piece.replace(written, meant)
        return piece.encode()

    return to_bytes


def _replacements(content: Part, source: str) -> Iterator[tuple[str, str]]:
    """(written, meant): what the decoder replaces in every piece."""
    decoder = content.get("decoder")
    if decoder is None:
        decoder = next((part for part in _parts(content.get("pre_tokenizer")) if part.get("type") == "Metaspace"), None)
        if decoder is None:
            raise _no_bytes(source, "it has no decoder, so that its library puts a space between all tokens", "set tokenizer.decoder before you save it")
    fused = False
    for part in _parts(decoder):
        kind = part.get("type")
        if kind == "Metaspace":
            yield part["replacement"], " "
        elif kind == "Replace" and (written := part["pattern"].get("String")) and (not fused or len(written) == 1):
            yield written, part["content"]
        elif kind == "Fuse":
            fused = True
        elif not (kind == "ByteFallback" or (kind == "Strip" and fused and part["content"] == " " and part["start"] <= 1 and not part["stop"])):
            # A Strip of one space at the very start undoes the prefix space of the first token; that is no matter of tokens.
            raise _no_bytes(source, f"its decoder has a {kind} step that depends on a token's neighbours")


def _no_bytes(source: str, reason: str, hint: str = "") -> TokenizerFormatError:
    hint = hint or "if you know the exact bytes, pass them: grammask.Vocabulary(tokens, eos_ids)"
    return TokenizerFormatError(source, f"no exact bytes can be known for its tokens: {reason}", hint)


def _literal_rule(content: Part, to_bytes: Callable[[str], bytes]) -> Callable[[str], bytes]:
    """Added tokens are found in the text as they are written; where a mark stands for a space, it does in them too."""
    return str.encode if _is_byte_level(content) else to_bytes


# --- encode ---------------------------------------------------------------------------------------------------------


class HuggingFaceEncoder:
    """Text -> ids by the `tokenizers` package, of exactly this text: special tokens' names in it are plain text."""

    __slots__ = ("_tokenizer",)

    def __init__(self, data: bytes) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_buffer(data)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._tokenizer.encode_special_tokens = True

    def __call__(self, text: str) -> list[int]:
        """The ids. Raises what `tokenizers` does for text it cannot take."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def __reduce__(self) -> tuple[Any, ...]:
        return HuggingFaceEncoder, (self._tokenizer.to_str().encode(),)


def _encoder(data: bytes, source: str) -> HuggingFaceEncoder | None:
    """None without the `tokenizers` package."""
    try:
        import tokenizers  # noqa: F401  (HuggingFaceEncoder needs it)
    except ImportError:
        return None
    try:
        return HuggingFaceEncoder(data)
    except Exception as error:  # tokenizers raises bare Exception for files that it cannot read
        raise TokenizerFormatError(source, f"the tokenizers package cannot read it ({error})") from error


# Parts that change the text, or lose some of it, before it is encoded.
_LOSSY = frozenset(
    (
        "NFC", "NFD", "NFKC", "NFKD", "Nmt", "Precompiled", "Lowercase", "StripAccents", "Strip", "Prepend", "BertNormalizer",
        "WhitespaceSplit", "Whitespace", "BertPreTokenizer",
    )
)  # fmt: skip


def _exact_pipeline(content: Part) -> Part:
    """The tokenizer without what would make the ids spell another text than the one given; equal to `content` if there is nothing."""
    changed: Part = {name: _exact(content.get(name)) for name in ("normalizer", "pre_tokenizer")}
    if content.get("added_tokens"):
        # An added token that strips would swallow the spaces beside it.
        changed["added_tokens"] = [token | {"lstrip": False, "rstrip": False} for token in content["added_tokens"]]
    if content["model"].get("dropout"):
        changed["model"] = content["model"] | {"dropout": None}  # it drops merges at random
    return content | changed


def _exact(part: Part | None) -> Part | None:
    """A normaliser or pre-tokeniser without its lossy steps."""
    kept = [changed for each in _parts(part) if (changed := _exact_step(each)) is not None]
    if part is None or kept == list(_parts(part)):
        return part
    if len(kept) < 2:
        return kept[0] if kept else None
    return {"type": "Sequence", ("pretokenizers" if "pretokenizers" in part else "normalizers"): kept}


def _exact_step(part: Part) -> Part | None:
    kind = part.get("type")
    if kind in _LOSSY or (kind == "Replace" and part["pattern"] != {"String": " "}):
        return None
    if kind == "Metaspace":
        return {"type": kind, "replacement": part["replacement"], "prepend_scheme": "never", "split": part.get("split", True)}
    if kind == "ByteLevel" and part.get("add_prefix_space"):
        return part | {"add_prefix_space": False}
    return part
