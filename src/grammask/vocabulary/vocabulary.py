"""The vocabulary: which bytes each token id stands for, which ids end an output, which carry no text.

Rule: an id that ends an output or is special holds b"", whatever its name is, so that no grammar can take its name for text.
Above: the kernel's store, decoding, tools. Below: one reader per kind of tokenizer, each imported when it is asked for.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import accumulate
from typing import Any, Self

from grammask.arguments import or_none, table, takes
from grammask.arguments import token_ids as ids_kind
from grammask.errors import LimitError, TokenOutOfRange, VocabularyError
from grammask.listeners import listeners
from grammask.vocabulary.self_check import check_encoding
from grammask.vocabulary.token_table import MAX_TOKENS, Encode, TokenTable

__all__ = ["Vocabulary"]

Path = str | os.PathLike[str]


class Vocabulary:
    """Exact bytes for every token id. Not changed after it is made; shared by threads.

    tokens: `tokens[id]` is the text of `id` in bytes, b"" for ids without text (special, end and padding ids).
    size: number of ids, padding included.  eos_ids: ids that end an output.  specials: name -> id.
    encode: text -> ids whose bytes spell exactly this text, as the model's tokenizer would; or None. A real U+2581 is the
    exception: tokenizers that write spaces as U+2581 take it for a space.
    """

    __slots__ = ("__weakref__", "_fingerprint", "_single_bytes", "_store", "_used_bytes", "encode", "eos_ids", "size", "specials", "tokens")

    tokens: list[bytes]
    size: int
    eos_ids: tuple[int, ...]
    specials: dict[str, int]
    encode: Encode | None

    @takes(specials=or_none(table))
    def __init__(
        self,
        tokens: Sequence[bytes],
        eos_ids: Iterable[int],
        specials: Mapping[str, int] | None = None,
        encode: Callable[[str], list[int]] | None = None,
        *,
        size: int | None = None,
    ) -> None:
        """Take tokens as they are; several ids may hold the same bytes.

        eos_ids: may be empty: then no output ever ends by a token.
        size: pads with ids that carry no text and are never allowed, for models whose output layer is larger than their tokenizer.
        Raises VocabularyError (what is wrong and where), LimitError for more than 4,194,304 ids.
        """
        held = _checked_tokens(tokens)
        self.size = _checked_size(len(held), size)
        held.extend([b""] * (self.size - len(held)))
        self.eos_ids = tuple(dict.fromkeys(_checked_id(token_id, self.size, "eos_ids") for token_id in _iterable(eos_ids)))
        self.specials = {_checked_name(name): _checked_id(token_id, self.size, f"specials[{name!r}]") for name, token_id in dict(specials or {}).items()}
        for token_id in (*self.eos_ids, *self.specials.values()):
            held[token_id] = b""
        self.tokens = held
        if encode is not None and not callable(encode):
            raise VocabularyError(f"encode must be a function from text to ids, got {type(encode).__name__}")
        self.encode = encode
        self._store: Any = None  # the kernel keeps here what it derives from this vocabulary
        self._fingerprint: str | None = None
        self._single_bytes: frozenset[int] | None = None
        self._used_bytes: frozenset[int] | None = None
        for listener in listeners:
            listener(self)

    @classmethod
    def from_huggingface(cls, tokenizer: Any, eos_ids: Iterable[int] | None = None, *, size: int | None = None) -> Self:
        """Read a Hugging Face tokenizer: a `tokenizer.json`, its folder, a `tokenizers.Tokenizer` or a fast tokenizer of transformers.

        Byte-level BPE and sentencepiece-like tokenizers; WordPiece is refused, because its tokens have no bytes of their own.
        eos_ids: by default those of generation_config.json, tokenizer_config.json and config.json beside the file, or the tokenizer's own.
        encode: made if the `tokenizers` package is there; without normalisation and prefix space, so that it spells the text exactly.
        Raises TokenizerFormatError, TokenizerMismatchError, VocabularyError if no end id is known.
        """
        from grammask.vocabulary.huggingface import read_huggingface

        return cls._from_table(read_huggingface(tokenizer), eos_ids, size)

    @classmethod
    @takes(specials=or_none(table))
    def from_tiktoken(
        cls,
        encoding: Any,
        eos_ids: Iterable[int] | None = None,
        *,
        specials: Mapping[str, int] | None = None,
        pattern: str | None = None,
        size: int | None = None,
    ) -> Self:
        """Read a tiktoken `Encoding` (or an object like it), or a rank file (lines of base64 token and rank).

        specials, pattern: for a rank file, which holds neither; `encode` needs the pattern.
        eos_ids: by default the specials that are known to end outputs, such as `<|endoftext|>`.
        Raises TokenizerFormatError, TokenizerMismatchError, VocabularyError if no end id is known.
        """
        from grammask.vocabulary.tiktoken import read_tiktoken

        return cls._from_table(read_tiktoken(encoding, specials, pattern), eos_ids, size)

    @classmethod
    def from_sentencepiece(cls, model: Any, eos_ids: Iterable[int] | None = None, *, size: int | None = None) -> Self:
        """Read a sentencepiece `.model` file, or a `SentencePieceProcessor`. The package itself is not needed to read it.

        encode: for BPE models always, for unigram models if the sentencepiece package is there; without normalisation and prefix space.
        Raises TokenizerFormatError, TokenizerMismatchError, VocabularyError if no end id is known.
        """
        from grammask.vocabulary.sentencepiece import read_sentencepiece

        return cls._from_table(read_sentencepiece(model), eos_ids, size)

    @classmethod
    def from_tekken(cls, path: Path, eos_ids: Iterable[int] | None = None, *, size: int | None = None) -> Self:
        """Read a `tekken.json` of Mistral's. Raises TokenizerFormatError, TokenizerMismatchError."""
        from grammask.vocabulary.tekken import read_tekken

        return cls._from_table(read_tekken(path), eos_ids, size)

    @classmethod
    def from_gguf(cls, path: Path, eos_ids: Iterable[int] | None = None, *, encode: Encode | None = None, size: int | None = None) -> Self:
        """Read the tokenizer inside a GGUF model file.

        eos_ids: by default the file's end ids and the control tokens known to end outputs.
        encode: the engine's own tokenizer, if there is one; else one is made for byte-level and sentencepiece BPE with a known splitting pattern.
        Raises ModelNotFoundError, ModelFileError (cut short or not GGUF), TokenizerFormatError (a folder, or no such tokenizer), TokenizerMismatchError.
        """
        from grammask.vocabulary.gguf_tokenizer import read_gguf_tokenizer

        return cls._from_table(read_gguf_tokenizer(path, encode), eos_ids, size)

    @classmethod
    def from_path(cls, path: Path, eos_ids: Iterable[int] | None = None, *, size: int | None = None) -> Self:
        """Read a tokenizer file of any of these kinds, told apart by its content, or a folder that holds one.

        Raises TokenizerFormatError if it is none of them (what it seems to be, and the kinds there are), and what the reader of its kind raises.
        """
        from grammask.vocabulary.detect import read_any

        return cls._from_table(read_any(path), eos_ids, size)

    @classmethod
    def _from_table(cls, table: TokenTable, eos_ids: Iterable[int] | None, size: int | None) -> Self:
        if eos_ids is None and not table.ends:
            raise VocabularyError(f"{table.source} does not say which token ends an output; pass eos_ids=[...] (an empty list if none does)")
        if table.encode is not None:
            check_encoding(table.tokens, frozenset(table.specials.values()), table.encode)
        return cls(table.tokens, table.ends if eos_ids is None else eos_ids, table.specials, table.encode, size=size)

    @property
    def fingerprint(self) -> str:
        """A digest (32 hexadecimal digits) of tokens, end ids and specials; equal in every process. Computed once, some 20 ms per 100,000 ids."""
        if self._fingerprint is None:
            lengths = b"".join([n.to_bytes(4, "little") for n in accumulate(map(len, self.tokens))])
            marks = repr((self.size, sorted(self.eos_ids), sorted(self.specials.items()))).encode()
            self._fingerprint = blake2b(b"\0".join([b"grammask vocabulary 1", marks, lengths, *self.tokens]), digest_size=16).hexdigest()
        return self._fingerprint

    @property
    def single_bytes(self) -> frozenset[int]:
        """The bytes that have a token of their own. All 256: every text can be spelled."""
        if self._single_bytes is None:
            self._single_bytes = frozenset(token[0] for token in self.tokens if len(token) == 1)
        return self._single_bytes

    @property
    def used_bytes(self) -> frozenset[int]:
        """The bytes that occur in any token at all."""
        if self._used_bytes is None:
            self._used_bytes = frozenset(b"".join(self.tokens))
        return self._used_bytes

    @takes(token_ids=ids_kind)
    def decode(self, token_ids: Iterable[int]) -> bytes:
        """The bytes of these ids in a row. Raises TokenOutOfRange.

        >>> Vocabulary([b"a", b"bc", b""], eos_ids=[2]).decode([1, 0, 2])
        b'bca'
        """
        tokens, size = self.tokens, self.size
        parts = []
        for token_id in token_ids:
            if not 0 <= token_id < size:
                raise TokenOutOfRange(token_id, size)
            parts.append(tokens[token_id])
        return b"".join(parts)

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"<Vocabulary of {self.size} ids, {len(self.specials)} special, ends {list(self.eos_ids)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the kernel's store, which the other side derives again."""
        return type(self), (self.tokens, self.eos_ids, self.specials, self.encode)


def _iterable(eos_ids: Any) -> Iterable[int]:
    if isinstance(eos_ids, str | bytes) or not isinstance(eos_ids, Iterable):
        raise VocabularyError(f"eos_ids must be a list of token ids, got {eos_ids!r}; for a single end token write eos_ids=[id]")
    return eos_ids


def _checked_tokens(tokens: Any) -> list[bytes]:
    """A list of its own. Raises VocabularyError for anything but bytes, and names the first such id."""
    if isinstance(tokens, str | bytes | Mapping) or not isinstance(tokens, Iterable):
        raise VocabularyError(f"tokens must be a list of bytes whose index is the token id, got {type(tokens).__name__}")
    held = list(tokens)
    if not held:
        raise VocabularyError("a vocabulary needs at least one token")
    for token_id, token in enumerate(held):
        if type(token) is not bytes:
            hint = "; write its exact bytes, not decoded text" if isinstance(token, str) else ""
            raise VocabularyError(f"token {token_id} must be bytes, got {type(token).__name__} {token!r:.40}{hint}")
    return held


def _checked_size(n_tokens: int, size: int | None) -> int:
    wanted = n_tokens if size is None else _integer(size, "size")
    if wanted < n_tokens:
        raise VocabularyError(f"size={wanted} is less than the {n_tokens} ids of the tokenizer; padding can only add ids")
    if wanted > MAX_TOKENS:
        raise LimitError("the vocabulary's size", wanted, MAX_TOKENS)
    return wanted


def _integer(value: Any, place: str) -> int:
    if isinstance(value, bool):
        raise VocabularyError(f"{place} must be a whole number, got {value!r}")
    try:
        return operator.index(value)
    except TypeError:
        raise VocabularyError(f"{place} must be a whole number, got {value!r}") from None


def _checked_id(token_id: int, size: int, place: str) -> int:
    number = _integer(token_id, place)
    if not 0 <= number < size:
        hint = "; pass size=... if the model has more ids than its tokenizer" if number >= size else ""
        raise VocabularyError(f"{place} holds {number}, which is no id of this vocabulary (0 to {size - 1}){hint}")
    return number


def _checked_name(name: Any) -> str:
    if not isinstance(name, str) or not name:
        raise VocabularyError(f"specials maps names to ids; {name!r} is no name")
    return name
