"""Reader for sentencepiece models, without the sentencepiece package.

Rule: the pieces' bytes are as decoding in the middle of a text gives them; a piece that begins with a space keeps it,
though decoding drops it at the very start. For `encode`, the model's normalisation and prefix space are switched off.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from struct import Struct
from typing import Any

from grammask.errors import TokenizerFormatError
from grammask.vocabulary.pieces import NORMAL, piece_bytes, piece_encoder, settle_ends, special_names
from grammask.vocabulary.protobuf import WireError, fields, float32, signed
from grammask.vocabulary.token_table import OTHER_KIND, Encode, TokenTable, read_file

__all__ = ["UnigramEncoder", "read_sentencepiece"]

_SCORE = Struct("<f").unpack_from
_BPE = 2  # TrainerSpec.ModelType; 1 is unigram, 3 words, 4 characters

# A message appended to another overrides its fields: normalizer_spec (field 3) with an empty precompiled_charsmap (2),
# add_dummy_prefix (3) and remove_extra_whitespaces (4) off.
_EXACT = b"\x1a\x06\x12\x00\x18\x00\x20\x00"


@dataclass(slots=True)
class _Model:
    texts: list[str]
    kinds: list[int]
    scores: list[float]
    model_type: int = 1
    eos_id: int = 2
    escaped: bool = True


def read_sentencepiece(model: Any) -> TokenTable:
    """The table of a `.model` file or of a `SentencePieceProcessor`. Raises TokenizerFormatError."""
    if hasattr(model, "serialized_model_proto"):
        source, data = type(model).__name__, bytes(model.serialized_model_proto())
    elif isinstance(model, str | os.PathLike):
        source, data = os.fspath(model), read_file(model)
    else:
        raise TokenizerFormatError(type(model).__name__, "it is neither the path of a .model file nor a SentencePieceProcessor")
    try:
        parsed = _parse(data)
    except (WireError, UnicodeDecodeError, OverflowError) as error:
        raise TokenizerFormatError(source, f"it is no sentencepiece model ({error})", OTHER_KIND) from error
    if not parsed.texts:
        raise TokenizerFormatError(source, "it is no sentencepiece model (it holds no pieces)", OTHER_KIND)
    return _table(parsed, data, source)


def _table(model: _Model, data: bytes, source: str) -> TokenTable:
    known = settle_ends(model.texts, model.kinds)
    tokens = [piece_bytes(text, kind, model.escaped) for text, kind in zip(model.texts, model.kinds, strict=True)]
    own = [model.eos_id] if 0 <= model.eos_id < len(tokens) else []
    ends = tuple(dict.fromkeys([*own, *known]))
    return TokenTable(source, tokens, special_names(model.texts, model.kinds), ends, _encoder(model, tokens, data, source))


def _encoder(model: _Model, tokens: list[bytes], data: bytes, source: str) -> Encode | None:
    if model.model_type == _BPE:
        return piece_encoder(tokens, model.kinds, model.scores)
    try:
        import sentencepiece  # noqa: F401  (UnigramEncoder needs it)
    except ImportError:
        return None
    try:
        return UnigramEncoder(data)
    except RuntimeError as error:
        raise TokenizerFormatError(source, f"the sentencepiece package cannot read it ({error})") from error


class UnigramEncoder:
    """Text -> ids by the sentencepiece package, with the model's normalisation and prefix space switched off."""

    __slots__ = ("_data", "_processor")

    def __init__(self, data: bytes) -> None:
        import sentencepiece

        self._data = data
        self._processor = sentencepiece.SentencePieceProcessor(model_proto=data + _EXACT)

    def __call__(self, text: str) -> list[int]:
        """The ids of exactly this text; an unknown id where the model has no piece."""
        return list(self._processor.encode(text))

    def __reduce__(self) -> tuple[Any, ...]:
        return UnigramEncoder, (self._data,)


def _parse(data: bytes) -> _Model:
    """ModelProto: pieces (1), trainer_spec (2), normalizer_spec (3)."""
    model = _Model([], [], [])
    for number, value in fields(data):
        if number == 1:
            text, score, kind = _plain_piece(_message(value)) or _piece(_message(value))
            model.texts.append(text)
            model.kinds.append(kind)
            model.scores.append(score)
        elif number == 2:
            _trainer(model, _message(value))
        elif number == 3:
            _normalizer(model, _message(value))
    return model


def _message(value: int | bytes) -> bytes:
    if not isinstance(value, bytes):
        raise WireError("a number where a message should be")
    return value


def _number(value: int | bytes) -> int:
    if not isinstance(value, int):
        raise WireError("a message where a number should be")
    return value


def _plain_piece(data: bytes) -> tuple[str, float, int] | None:
    """`_piece` for the usual form (a text under 128 bytes, a score and perhaps a type, in this order); None for any other."""
    end = 2 + data[1] if len(data) > 6 else 0
    if data[:1] != b"\x0a" or data[end : end + 1] != b"\x15" or data[1] > 127:
        return None
    if len(data) == end + 5:
        return data[2:end].decode(), _SCORE(data, end + 1)[0], NORMAL
    if len(data) == end + 7 and data[end + 5] == 0x18 and data[end + 6] < 128:
        return data[2:end].decode(), _SCORE(data, end + 1)[0], data[end + 6]
    return None


def _piece(data: bytes) -> tuple[str, float, int]:
    """SentencePiece: piece (1), score (2), type (3)."""
    piece, score, kind = "", 0.0, NORMAL
    for number, value in fields(data):
        if number == 1:
            piece = _message(value).decode()
        elif number == 2:
            score = float32(_number(value))
        elif number == 3:
            kind = _number(value)
    return piece, score, kind


def _trainer(model: _Model, data: bytes) -> None:
    """TrainerSpec: model_type (3), eos_id (42; -1 for none)."""
    for number, value in fields(data):
        if number == 3:
            model.model_type = _number(value)
        elif number == 42:
            model.eos_id = signed(_number(value))


def _normalizer(model: _Model, data: bytes) -> None:
    """NormalizerSpec: escape_whitespaces (5)."""
    for number, value in fields(data):
        if number == 5:
            model.escaped = bool(_number(value))
