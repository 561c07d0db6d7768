"""tokenizer.json files, their folders, and the objects that write them."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammask.errors import LimitError, TokenizerFormatError, TokenizerMismatchError, VocabularyError
from grammask.vocabulary import Vocabulary
from grammask.vocabulary.byte_level import CHARACTERS

from . import real_tokenizers as real

LINES = ["The quick brown fox jumps over the lazy dog.", "Na\u00efve fa\u00e7ade \u65e5\u672c\u8a9e test 123\n", '{"name": "Ada",  "ok": true}'] * 8
MARK = "\u2581"


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory) -> Vocabulary:
    return Vocabulary.from_huggingface(real.gpt2_folder(tmp_path_factory.mktemp("gpt2")))


def library() -> Any:
    return pytest.importorskip("tokenizers", reason="tokenizers is not installed")


def saved(content: dict[str, Any], folder: Path) -> Path:
    path = folder / "tokenizer.json"
    path.write_text(json.dumps(content), "utf-8")
    return path


def small(**parts: Any) -> dict[str, Any]:
    """A byte-level tokenizer.json of 256 bytes, a merge and an end."""
    pieces = {character: byte for byte, character in enumerate(CHARACTERS)} | {"ab": 256, "</s>": 257}
    return real.byte_level_json(pieces, ["a b"], ["</s>"]) | parts


def marked(decoder: Any, pieces: list[str], **model: Any) -> dict[str, Any]:
    """A tokenizer.json whose pieces write a space as U+2581."""
    content = {"type": "BPE", "vocab": {piece: i for i, piece in enumerate(pieces)}, "merges": [], "unk_token": "<unk>"} | model
    normalizer = {"type": "Replace", "pattern": {"String": " "}, "content": MARK}
    return {"version": "1.0", "added_tokens": [], "normalizer": normalizer, "pre_tokenizer": None, "decoder": decoder, "model": content}


# --- GPT-2 ----------------------------------------------------------------------------------------------------------


def test_gpt2_prefixes_of_true_and_false_are_seven_known_tokens(gpt2: Vocabulary) -> None:
    """Exactly 69, 83, 2213, 7942, 9562, 13331 and 42932 are non-empty prefixes of true or false."""
    found = [i for i, token in enumerate(gpt2.tokens) if token and (b"true".startswith(token) or b"false".startswith(token))]
    assert found == [69, 83, 2213, 7942, 9562, 13331, 42932]
    assert gpt2.tokens[2081] == b" true"


def test_gpt2_reads_in_full(gpt2: Vocabulary) -> None:
    """50,257 ids; the last is the end and carries no text; every byte has a token."""
    assert (gpt2.size, gpt2.eos_ids, gpt2.specials) == (50_257, (50_256,), {"<|endoftext|>": 50_256})
    assert gpt2.tokens[50_256] == b""
    assert len(gpt2.single_bytes) == 256
    assert gpt2.tokens.count(b"") == 1


def test_gpt2_encodes_as_published_merges_say(gpt2: Vocabulary) -> None:
    """Known ids; the name of the end token in a text is plain text."""
    library()
    assert gpt2.encode is not None
    assert gpt2.encode("Hello world") == [15496, 995]
    assert gpt2.encode(" true") == [2081]
    ids = gpt2.encode("a<|endoftext|>b")
    assert 50_256 not in ids
    assert gpt2.decode(ids) == b"a<|endoftext|>b"


def test_gpt2_spells_any_text(gpt2: Vocabulary) -> None:
    """A byte-complete tokenizer: the bytes of encode(text) are the text."""
    library()

    @real.law
    @given(st.text())
    def law(text: str) -> None:
        assert gpt2.encode is not None
        assert gpt2.decode(gpt2.encode(text)) == text.encode()

    law()


def test_own_merging_of_gpt2_equals_the_librarys(gpt2: Vocabulary) -> None:
    """MergeEncoder with GPT-2's merges and pattern gives the ids of `tokenizers`."""
    library()
    from grammask.vocabulary.encoders import MergeEncoder
    from grammask.vocabulary.pretokenize import compile_pattern

    merges = {merge: rank for rank, merge in enumerate(real.gpt2_pieces()[1])}
    ids = {token: i for i, token in enumerate(gpt2.tokens) if token}
    own = MergeEncoder(ids=ids, merges=merges, patterns=(compile_pattern(real.GPT2_PATTERN),))

    @real.law
    @given(st.text(st.characters(max_codepoint=0x1FFFF, exclude_categories=["Cs", "Cn"])))
    def law(text: str) -> None:
        assert gpt2.encode is not None
        assert own(text) == gpt2.encode(text)

    law()


def test_a_tokenizer_object_reads_as_its_file(gpt2: Vocabulary) -> None:
    """A tokenizers.Tokenizer built from GPT-2's parts gives the same vocabulary, and the ids are its own."""
    pieces, merges = real.gpt2_pieces()
    tokenizers = library()
    model = tokenizers.models.BPE(vocab=pieces, merges=[tuple(merge.split(" ")) for merge in merges])
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    tokenizer.add_special_tokens(["<|endoftext|>"])
    vocabulary = Vocabulary.from_huggingface(tokenizer)
    assert vocabulary.fingerprint == gpt2.fingerprint
    assert vocabulary.encode is not None
    assert vocabulary.encode("it's  12 \u65e5\u672c") == tokenizer.encode("it's  12 \u65e5\u672c").ids


def test_a_fast_tokenizer_of_transformers_names_its_ends(tmp_path: Path) -> None:
    """Its backend gives the tokens; its own end and the generation_config.json of its folder give the ends."""

    class Fast:
        backend_tokenizer = library().Tokenizer.from_str(json.dumps(small()))
        eos_token_id = 257
        name_or_path = str(tmp_path)

    assert Vocabulary.from_huggingface(Fast()).eos_ids == (257,)
    (tmp_path / "generation_config.json").write_text('{"eos_token_id": [11, 12]}')
    vocabulary = Vocabulary.from_huggingface(Fast())
    assert vocabulary.eos_ids == (11, 12, 257)
    assert vocabulary.tokens[255:] == [b"\xff", b"ab", b""]


# --- bytes of tokens ------------------------------------------------------------------------------------------------


def test_added_tokens_carry_text_unless_they_are_special(tmp_path: Path) -> None:
    """Special ones become names without text; others carry what is written, in UTF-8, not in the byte table's characters."""
    added = [
        {"id": 257, "content": "</s>", "special": True},
        {"id": 258, "content": "<tool_call>", "special": False},
        {"id": 260, "content": "caf\u00e9 \u0120", "special": False},
    ]
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    vocabulary = Vocabulary.from_huggingface(saved(small(added_tokens=[token | flags for token in added]), tmp_path))
    assert vocabulary.tokens[256:] == [b"ab", b"", b"<tool_call>", b"", "caf\u00e9 \u0120".encode()]
    assert (vocabulary.specials, vocabulary.eos_ids) == ({"</s>": 257}, (257,))


def test_a_hole_in_the_ids_holds_nothing(tmp_path: Path) -> None:
    """Ids that no token has are padding, and so are those that `size` adds."""
    content = small()
    content["model"]["vocab"]["zz"] = 300
    vocabulary = Vocabulary.from_huggingface(saved(content, tmp_path), size=310)
    assert vocabulary.tokens[258:] == [b""] * 42 + [b"zz"] + [b""] * 9


def test_llama_like_decoders_give_bytes_and_spaces(tmp_path: Path) -> None:
    """Replace, ByteFallback, Fuse, Strip: <0x0A> is a byte, U+2581 a space, the stripped prefix space no matter of tokens."""
    steps = [
        {"type": "Replace", "pattern": {"String": MARK}, "content": " "},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    ]
    pieces = ["<unk>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), MARK, MARK + "the", "a" + MARK, "<0x0a0>"]
    content = marked({"type": "Sequence", "decoders": steps}, pieces, byte_fallback=True)
    content["added_tokens"] = [{"id": 1, "content": "</s>", "special": True, "normalized": False, "single_word": False, "lstrip": False, "rstrip": False}]
    vocabulary = Vocabulary.from_huggingface(saved(content, tmp_path))
    assert vocabulary.tokens == [b"", b"", *(bytes([byte]) for byte in range(256)), b" ", b" the", b"a ", b"<0x0a0>"]
    assert vocabulary.specials == {"<unk>": 0, "</s>": 1}


def test_unigram_pieces_and_their_unknown_are_read(tmp_path: Path) -> None:
    """A list of pieces with scores; unk_id carries no text."""
    model = {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], [MARK + "a", -1.0], ["b", -2.0]], "byte_fallback": False}
    decoder = {"type": "Metaspace", "replacement": MARK, "prepend_scheme": "always", "split": True}
    content = {"version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": decoder, "decoder": decoder, "model": model}
    vocabulary = Vocabulary.from_huggingface(saved(content, tmp_path), eos_ids=[])
    assert (vocabulary.tokens, vocabulary.specials) == ([b"", b" a", b"b"], {"<unk>": 0})


@pytest.mark.parametrize("scheme", ["always", "first", "never"])
def test_a_trained_metaspace_tokenizer_encodes_without_its_prefix(scheme: str) -> None:
    """Whatever the prefix rule, the ids spell the text and no space before it."""
    tokenizers = library()
    made = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="<unk>"))  # noqa: S106
    made.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace(prepend_scheme=scheme)
    made.decoder = tokenizers.decoders.Metaspace(prepend_scheme=scheme)
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=300, special_tokens=["<unk>", "</s>"], show_progress=False)
    made.train_from_iterator(LINES, trainer)
    vocabulary = Vocabulary.from_huggingface(made)
    assert vocabulary.eos_ids == (1,)
    assert vocabulary.encode is not None
    assert vocabulary.decode(vocabulary.encode("The  quick fox ")) == b"The  quick fox "


def test_a_trained_tokenizer_with_byte_fallback_spells_any_text() -> None:
    """Llama-2's pipeline, trained on a few lines: byte-complete, so the law holds; U+2581 alone it takes for a space."""
    tokenizers = library()
    made = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))  # noqa: S106
    made.normalizer = tokenizers.normalizers.Sequence([tokenizers.normalizers.Prepend(MARK), tokenizers.normalizers.Replace(" ", MARK)])
    steps = tokenizers.decoders
    made.decoder = steps.Sequence([steps.Replace(MARK, " "), steps.ByteFallback(), steps.Fuse(), steps.Strip(" ", 1, 0)])
    names = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    made.train_from_iterator(LINES, tokenizers.trainers.BpeTrainer(vocab_size=420, special_tokens=names, show_progress=False))
    content = json.loads(made.to_str())
    content["added_tokens"] = content["added_tokens"][:3]
    vocabulary = Vocabulary.from_huggingface(tokenizers.Tokenizer.from_str(json.dumps(content)))
    assert (len(vocabulary.single_bytes), vocabulary.eos_ids) == (256, (2,))
    assert vocabulary.decode(made.encode("The fox", add_special_tokens=False).ids) == b" The fox"

    @real.law
    @given(st.text(st.characters(exclude_characters=MARK, exclude_categories=["Cs"])))
    def law(text: str) -> None:
        assert vocabulary.encode is not None
        assert vocabulary.decode(vocabulary.encode(text)) == text.encode()

    law()


def test_normalisation_and_prefix_are_taken_out_of_encode() -> None:
    """NFC, a prefix space, truncation and a template: the ids spell the text as it is."""
    tokenizers = library()
    made = tokenizers.Tokenizer(tokenizers.models.BPE())
    made.normalizer = tokenizers.normalizers.Sequence([tokenizers.normalizers.NFC(), tokenizers.normalizers.Lowercase()])
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=True)
    made.decoder = tokenizers.decoders.ByteLevel()
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=300, special_tokens=["<|im_end|>"], initial_alphabet=alphabet, show_progress=False)
    made.train_from_iterator(LINES, trainer)
    made.post_processor = tokenizers.processors.TemplateProcessing(single="$A <|im_end|>", special_tokens=[("<|im_end|>", 0)])
    made.enable_truncation(4)
    made.enable_padding(length=16)
    before = made.to_str()
    vocabulary = Vocabulary.from_huggingface(made)
    assert vocabulary.encode is not None
    text = "E\u0301 THE fox<|im_end|>, and so on and so on"
    assert vocabulary.decode(vocabulary.encode(text)) == text.encode()
    assert made.to_str() == before
    copy = pickle.loads(pickle.dumps(vocabulary))  # noqa: S301
    assert copy.encode(text) == vocabulary.encode(text)


def test_an_added_token_does_not_swallow_the_spaces_beside_it(tmp_path: Path) -> None:
    """lstrip and rstrip are for reading prompts; encode spells every space."""
    library()
    content = small()
    content["added_tokens"] += [{"id": 258, "content": "<mask>", "special": False, "lstrip": True, "rstrip": True, "normalized": False, "single_word": False}]
    vocabulary = Vocabulary.from_huggingface(saved(content, tmp_path))
    assert vocabulary.encode is not None
    assert vocabulary.encode("a  <mask> b") == [97, 32, 32, 258, 32, 98]


def test_dropped_merges_are_for_training_only(tmp_path: Path) -> None:
    """A model saved with BPE dropout encodes the same text to the same ids every time."""
    library()
    content = small()
    content["model"]["dropout"] = 0.9
    vocabulary = Vocabulary.from_huggingface(saved(content, tmp_path))
    assert vocabulary.encode is not None
    assert vocabulary.encode("ab" * 50) == [256] * 50


def test_characters_a_tokenizer_has_no_tokens_for_do_not_fail_the_check() -> None:
    """A byte-level alphabet of a few lines drops what it never saw; what it knows is still compared."""
    tokenizers = library()
    made = tokenizers.Tokenizer(tokenizers.models.BPE())
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    made.train_from_iterator(LINES[:1], tokenizers.trainers.BpeTrainer(vocab_size=60, show_progress=False))
    vocabulary = Vocabulary.from_huggingface(made, eos_ids=[])
    assert len(vocabulary.single_bytes) < 40
    assert vocabulary.encode is not None
    assert vocabulary.decode(vocabulary.encode("The fox")) == b"The fox"


def test_a_decoder_that_does_not_fit_the_pieces_is_found(tmp_path: Path) -> None:
    """Byte-level pieces under a decoder that leaves them as they are: the self-check names a token."""
    library()
    content = small(decoder={"type": "Fuse"})
    with pytest.raises(TokenizerMismatchError) as caught:
        Vocabulary.from_huggingface(saved(content, tmp_path))
    assert (caught.value.token_id, caught.value.token) == (0x20, "\u0120".encode())


# --- ends -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "ends"),
    [
        ({}, (257,)),
        ({"generation_config.json": {"eos_token_id": [5, 6]}}, (5, 6)),
        ({"generation_config.json": {"eos_token_id": 7}, "tokenizer_config.json": {"eos_token": "</s>"}}, (7, 257)),
        ({"tokenizer_config.json": {"eos_token": {"content": "</s>", "lstrip": False}}}, (257,)),
        ({"tokenizer_config.json": {"eos_token": "ab"}}, (256,)),
        ({"config.json": {"eos_token_id": 9}}, (9,)),
        ({"config.json": {"eos_token_id": 9}, "generation_config.json": {"eos_token_id": 8}}, (8,)),
        ({"generation_config.json": {"eos_token_id": [1 << 40, -1, None, "3"]}}, (257,)),
        ({"tokenizer_config.json": [], "generation_config.json": "x"}, (257,)),
    ],
)
def test_ends_come_from_the_files_beside(tmp_path: Path, files: dict[str, Any], ends: tuple[int, ...]) -> None:
    """generation_config.json and tokenizer_config.json together, else config.json, else names known to end outputs."""
    path = saved(small(), tmp_path)
    for name, content in files.items():
        (tmp_path / name).write_text(json.dumps(content))
    assert Vocabulary.from_huggingface(tmp_path).eos_ids == ends
    assert Vocabulary.from_huggingface(str(path)).eos_ids == ends
    assert Vocabulary.from_huggingface(path, eos_ids=[3]).eos_ids == (3,)


def test_a_tokenizer_without_a_known_end_asks_for_one(tmp_path: Path) -> None:
    """No end is guessed."""
    path = saved(small(added_tokens=[]), tmp_path)
    with pytest.raises(VocabularyError, match="pass eos_ids"):
        Vocabulary.from_huggingface(path)


# --- refusals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (small(model={"type": "WordPiece", "vocab": {"a": 0}}), "WordPiece"),
        (small(model={"type": "BPE", "vocab": {"a</w>": 0}, "merges": [], "end_of_word_suffix": "</w>"}), "marks at word ends"),
        (marked({"type": "WordPiece", "prefix": "##"}, ["a"]), "WordPiece step"),
        (marked({"type": "BPEDecoder", "suffix": "</w>"}, ["a"]), "BPEDecoder step"),
        (marked({"type": "CTC"}, ["a"]), "CTC step"),
        (marked({"type": "Strip", "content": " ", "start": 1, "stop": 0}, ["a"]), "Strip step"),
        (marked({"type": "Replace", "pattern": {"Regex": "x+"}, "content": ""}, ["a"]), "Replace step"),
        (marked(None, ["a"]), "no decoder"),
    ],
)
def test_tokens_without_bytes_of_their_own_are_refused(tmp_path: Path, content: dict[str, Any], says: str) -> None:
    """What a token stands for must not depend on its neighbours; the error names the part and the way out."""
    with pytest.raises(TokenizerFormatError, match=says) as caught:
        Vocabulary.from_huggingface(saved(content, tmp_path), eos_ids=[])
    assert "grammask.Vocabulary(tokens, eos_ids)" in str(caught.value) or "tokenizer.decoder" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "no tokenizer.json"),
        ('{"model": 3}', "no tokenizer.json"),
        ('{"model": {}, "decoder": {"type": "ByteLevel"}}', "KeyError"),
        ('{"model": {"vocab": "x"}, "decoder": {"type": "ByteLevel"}}', "AttributeError"),
        ('{"model": {"vocab": [1]}, "decoder": {"type": "ByteLevel"}}', "TypeError"),
        ('{"model": {"vocab": [["a", 1, 2]]}, "decoder": {"type": "ByteLevel"}}', "ValueError"),
        ('{"model": {"vocab": {"a": "0"}}, "decoder": {"type": "ByteLevel"}}', "whole number"),
        ('{"model": {"vocab": {}}, "decoder": {"type": "ByteLevel"}}', "no tokens"),
        ('{"model": {"vocab": {"a": -1}}, "decoder": {"type": "ByteLevel"}}', "negative"),
        ('{"model": {"vocab": {"a": 0}}, "decoder": {"type": "ByteLevel"}, "added_tokens": [{"id": "1", "content": "x"}]}', "whole number"),
        ('{"model": {"vocab": [["a", 0]], "unk_id": 7}, "decoder": {"type": "ByteLevel"}}', "IndexError"),
        ('{"model": {"vocab": {"\\ud800": 0}}, "decoder": {"type": "Fuse"}}', "UnicodeEncodeError"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, text: str, says: str) -> None:
    """A TokenizerFormatError that names the file, whatever is in it."""
    path = tmp_path / "tokenizer.json"
    path.write_text(text)
    with pytest.raises(TokenizerFormatError, match=says) as caught:
        Vocabulary.from_huggingface(path, eos_ids=[])
    assert caught.value.path == str(path)


def test_an_absurd_id_takes_no_memory(tmp_path: Path) -> None:
    """A limit, not a list of a trillion tokens."""
    with pytest.raises(LimitError, match="highest token id"):
        Vocabulary.from_huggingface(saved(small(model={"type": "BPE", "vocab": {"a": 1 << 40}, "merges": []}), tmp_path))


def test_what_is_no_tokenizer_is_refused_with_a_hint(tmp_path: Path) -> None:
    """Names of models on a hub, empty folders, folders of other kinds, slow tokenizers."""
    with pytest.raises(TokenizerFormatError, match="nothing is downloaded"):
        Vocabulary.from_huggingface("openai-community/gpt2")
    with pytest.raises(TokenizerFormatError, match=r"no tokenizer.json in this folder$"):
        Vocabulary.from_huggingface(tmp_path)
    (tmp_path / "tekken.json").write_text("{}")
    with pytest.raises(TokenizerFormatError, match="from_tekken reads"):
        Vocabulary.from_huggingface(tmp_path)
    with pytest.raises(TokenizerFormatError, match="take the fast one"):
        Vocabulary.from_huggingface(object())
