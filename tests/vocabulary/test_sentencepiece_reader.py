"""sentencepiece models, read without the package and compared with it."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammask.errors import TokenizerFormatError
from grammask.vocabulary import Vocabulary
from grammask.vocabulary.sentencepiece import UnigramEncoder

from . import real_tokenizers as real
from .real_tokenizers import message, piece

LINES = ["The quick brown fox jumps over the lazy dog.", "Na\u00efve fa\u00e7ade \u65e5\u672c\u8a9e test 123", '{"name": "Ada", "ok": true}'] * 8


def trained(**options: Any) -> bytes:
    """A small model, trained on a few lines."""
    sentencepiece = pytest.importorskip("sentencepiece", reason="sentencepiece is not installed")
    model = io.BytesIO()
    defaults = {"vocab_size": 320, "hard_vocab_limit": False, "byte_fallback": True, "minloglevel": 2}
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(LINES), model_writer=model, **(defaults | options))
    return model.getvalue()


@pytest.mark.parametrize(("name", "size", "n_special"), [("tokenizer.model.v1", 32_000, 3), ("mistral_instruct_tokenizer_240323.model.v3", 32_768, 751)])
def test_mistrals_models_read_as_the_package_reads_them(name: str, size: int, n_special: int) -> None:
    """Every piece: control pieces carry nothing, byte pieces their byte, U+2581 is a space."""
    sentencepiece = pytest.importorskip("sentencepiece", reason="sentencepiece is not installed")
    path = real.mistral_path(name)
    vocabulary = Vocabulary.from_sentencepiece(path)
    theirs = sentencepiece.SentencePieceProcessor(model_file=str(path))
    assert (vocabulary.size, vocabulary.eos_ids, len(vocabulary.specials)) == (size, (2,), n_special)
    for token_id, token in enumerate(vocabulary.tokens):
        text = theirs.id_to_piece(token_id)
        if theirs.is_control(token_id) or theirs.is_unknown(token_id):
            assert (token, vocabulary.specials[text]) == (b"", token_id)
        elif theirs.is_byte(token_id):
            assert token == bytes([int(text[3:5], 16)])
        else:
            assert token == text.replace("\u2581", " ").encode()
    assert len(vocabulary.single_bytes) == 256
    assert vocabulary.tokens[3 + 0x0A if size == 32_000 else theirs.piece_to_id("<0x0A>")] == b"\n"


def test_own_encoding_equals_the_packages() -> None:
    """The same ids as sentencepiece with its prefix space switched off, for any text but U+2581, which it takes for a space."""
    path = real.mistral_path("tokenizer.model.v1")
    vocabulary = Vocabulary.from_sentencepiece(path)
    pytest.importorskip("sentencepiece", reason="sentencepiece is not installed")
    theirs = UnigramEncoder(path.read_bytes())

    @real.law
    @given(st.text(st.characters(exclude_characters="\u2581\0", exclude_categories=["Cs"])))
    def law(text: str) -> None:
        assert vocabulary.encode is not None
        assert vocabulary.encode(text) == theirs(text)
        assert vocabulary.decode(vocabulary.encode(text)) == text.encode()

    law()
    assert vocabulary.encode is not None
    prose = "  The quick brown fox\n\njumps 12345 times. </s> [INST] \u65e5\u672c\u8a9e e\u0301 " * 10
    assert vocabulary.encode(prose) == theirs(prose)


def test_a_real_mark_character_is_spelled_by_its_bytes() -> None:
    """U+2581 in a text does not become a space."""
    vocabulary = Vocabulary.from_sentencepiece(real.mistral_path("tokenizer.model.v1"))
    assert vocabulary.encode is not None
    assert vocabulary.decode(vocabulary.encode("a\u2581b")) == "a\u2581b".encode()


@pytest.mark.parametrize("model_type", ["bpe", "unigram"])
@pytest.mark.parametrize("normalisation", ["identity", "nmt_nfkc_cf"])
def test_encoding_is_exact_whatever_the_models_normalisation(model_type: str, normalisation: str) -> None:
    """Prefix spaces, runs of spaces, compatibility characters and capitals come out as they went in."""
    data = trained(model_type=model_type, normalization_rule_name=normalisation)
    path = pytest.importorskip("sentencepiece").SentencePieceProcessor(model_proto=data)
    vocabulary = Vocabulary.from_sentencepiece(path)

    @real.law
    @given(st.text(st.characters(exclude_characters="\u2581\0", exclude_categories=["Cs"])))
    def law(text: str) -> None:
        assert vocabulary.encode is not None
        assert vocabulary.decode(vocabulary.encode(text)) == text.encode()

    law()
    assert vocabulary.encode is not None
    assert vocabulary.decode(vocabulary.encode("  \ufb01  FOX ")) == "  \ufb01  FOX ".encode()


def test_kinds_of_pieces_decide_what_carries_text(tmp_path: Path) -> None:
    """Unknown, control and unused pieces carry none and are named; user-defined ones do, and are found before anything else."""
    path = tmp_path / "small.model"
    pieces = [
        piece("<unk>", 2),
        piece("<s>", 3),
        piece("</s>", 3),
        piece("<think>", 4),
        piece("<unused0>", 5),
        piece("<0x0A>", 6),
    ]
    letters = [piece(c, 1, -float(i)) for i, c in enumerate("abt\u2581<>hink")]
    path.write_bytes(b"".join([*pieces, *letters, piece("<end_of_turn>", 4), piece("\u2581a", 1, -0.5), message(2, b"\x18\x02")]))
    vocabulary = Vocabulary.from_sentencepiece(path)
    assert vocabulary.tokens[:6] == [b"", b"", b"", b"<think>", b"", b"\n"]
    assert vocabulary.specials == {"<unk>": 0, "<s>": 1, "</s>": 2, "<unused0>": 4, "<end_of_turn>": 16}
    assert vocabulary.eos_ids == (2, 16)
    assert vocabulary.encode is not None
    assert vocabulary.encode("b a<think>\n") == [7, 17, 3, 5]


def test_a_model_without_an_end_says_so(tmp_path: Path) -> None:
    """eos_id -1 is "none" in a trainer_spec."""
    path = tmp_path / "small.model"
    path.write_bytes(piece("<unk>", 2) + piece("a", 1) + message(2, b"\xd0\x02" + b"\xff" * 9 + b"\x01"))
    with pytest.raises(ValueError, match="pass eos_ids"):
        Vocabulary.from_sentencepiece(path)
    assert Vocabulary.from_sentencepiece(path, eos_ids=[0]).eos_ids == (0,)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "holds no pieces"),
        (b"\x0a\xff\xff\xff\xff\x7f", "ends at byte"),
        (b"\x0a", "cut off"),
        (b"\xff" * 30, "more than ten bytes"),
        (b"\x0b\x00", "wire type 3"),
        (b"\x08\x01", "a number where a message"),
        (message(1, message(1, b"\xff\xfe")), "codec can't decode"),
        (b"IQ== 0\nIg== 1\n", "no sentencepiece model"),
        (b'{"model": {}}', "no sentencepiece model"),
    ],
)
def test_damaged_models_are_refused(tmp_path: Path, data: bytes, says: str) -> None:
    """A TokenizerFormatError, whatever the bytes."""
    path = tmp_path / "broken.model"
    path.write_bytes(data)
    with pytest.raises(TokenizerFormatError, match=says):
        Vocabulary.from_sentencepiece(path)


def test_any_cut_of_a_model_is_read_or_refused(tmp_path: Path) -> None:
    """A file cut at any byte gives a typed error, or the pieces that are whole; never another exception."""
    whole = b"".join(
        [
            piece("<unk>", 2),
            piece("</s>", 3),
            piece("a", 1),
            piece("\u2581b", 1),
            message(2, b"\x18\x02\xd0\x02\x01"),
            message(3, b"\x28\x01"),
        ]
    )
    path = tmp_path / "cut.model"
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        try:
            assert Vocabulary.from_sentencepiece(path, eos_ids=[]).size <= 4
        except TokenizerFormatError:
            continue


def test_other_objects_are_refused() -> None:
    """The error says what to pass."""
    with pytest.raises(TokenizerFormatError, match="SentencePieceProcessor"):
        Vocabulary.from_sentencepiece(7)
