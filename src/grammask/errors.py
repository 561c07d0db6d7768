"""The whole error tree. Every error carries its facts as fields; its text is made from them and names a way out.

GrammaskError
  ArgumentError (TypeError, ValueError)  an argument of the wrong type: function, argument, expected
  GrammarError (ValueError)           a grammar cannot be compiled
    GrammarSyntaxError                text that does not parse: source, span, reason
    SchemaError                       a schema that is not valid itself: pointer, reason
    UnsupportedFeatureError           valid, but cannot be enforced: feature, pointer or span
    EmptyLanguageError                no text at all matches: place
    NoExitError                       a rule from which nothing can complete: rule
    UnspellableError                  the vocabulary's tokens cannot spell what the grammar demands: text
    GrammarTypeError (TypeError)      an object that is no grammar and stands for none: got
  LimitError (ValueError)             an input is larger than a stated limit: limit, value, bound
  VocabularyError (ValueError)        token ids or bytes that make no vocabulary
    TokenizerFormatError              a tokenizer file that cannot be read: path, reason
    TokenizerMismatchError            bytes of the tokens differ from the text they encode: token_id, text
  IndexFileError (ValueError)         a saved index that cannot be used: path, reason
  DataSetError (ValueError)           a data set that a batch cannot read: path, line, reason
  BatchFolderError (ValueError)       a folder that a batch cannot keep its rows in: path, reason
  DecodingError                       while generating
    TokenRefused (ValueError)         a token the grammar does not allow: token_id, token, position
    TokenOutOfRange (IndexError)      no such id: token_id, vocabulary_size
    StateOutOfRange (IndexError)      no such state of an index: state, n_states
    GrammarStuck                      nothing is allowed and the output is not complete
    FinishedError                     a call after the end token
    RollbackError (ValueError)        more tokens than were taken: requested, available
    MaskShapeError (ValueError)       a row of the wrong size or type: expected, got
    BudgetError (ValueError)          max_tokens cannot hold any complete output: max_tokens, achievable
    SamplingError (ValueError)        options or scores with which nothing can be sampled: option, value, reason
  ModelError                          a model or its engine
    PromptError (ValueError)          a prompt that cannot be given to a model: reason
    ModelNotFoundError (LookupError)  no such file or package: path
    ModelFileError (ValueError)       a file that is not a complete model: path, reason
    EngineError                       the engine library is missing or does not behave: engine, reason
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "ArgumentError",
    "BatchFolderError",
    "BudgetError",
    "DataSetError",
    "DecodingError",
    "EmptyLanguageError",
    "EngineError",
    "FinishedError",
    "GrammarError",
    "GrammarStuck",
    "GrammarSyntaxError",
    "GrammarTypeError",
    "GrammaskError",
    "IndexFileError",
    "LimitError",
    "MaskShapeError",
    "ModelError",
    "ModelFileError",
    "ModelNotFoundError",
    "NoExitError",
    "PromptError",
    "RollbackError",
    "SamplingError",
    "SchemaError",
    "StateOutOfRange",
    "TokenOutOfRange",
    "TokenRefused",
    "TokenizerFormatError",
    "TokenizerMismatchError",
    "UnspellableError",
    "UnsupportedFeatureError",
    "VocabularyError",
]


class GrammaskError(Exception):
    """Base of every error this package raises on purpose. Copies and pickles keep text and fields."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self.args), dict(vars(self))


def _rebuilt(kind: type[GrammaskError], arguments: tuple[object, ...]) -> GrammaskError:
    """An error with its text as it was, past `__init__`, which would make the text anew from other arguments."""
    return kind.__new__(kind, *arguments)


class ArgumentError(GrammaskError, TypeError, ValueError):
    """An argument of the wrong type. `expected` says what the function takes, `got` is what was given, shortened."""

    def __init__(self, function: str, argument: str, value: object, expected: str) -> None:
        self.function, self.argument, self.expected = function, argument, expected
        self.got = value if isinstance(value, str | int | float | bool | None) else type(value).__name__
        shown = f"{value!r:.60}" if isinstance(value, str | int | float | bytes | None) else f"an object of type {type(value).__name__}"
        super().__init__(f"{function}({argument}=...) takes {expected}, got {shown}")


class GrammarError(GrammaskError, ValueError):
    """A grammar cannot be compiled."""


def _shown_span(source: str, span: tuple[int, int]) -> tuple[int, int]:
    """The span to point at: that of the error; the end of the last line with anything on it, if the error is that the text ends."""
    at_end = span[0] >= len(source) and not source[source.rfind("\n") + 1 :].strip()
    end = len(source.rstrip()) if at_end else 0
    return (end, end) if end else span


def _marked(source: str, span: tuple[int, int]) -> str:
    """The line of `source` that holds `span`, with carets under the span, at most 120 characters wide."""
    start, end = span
    line_start = source.rfind("\n", 0, start) + 1
    line_end = source.find("\n", start)
    line_end = len(source) if line_end < 0 else line_end
    left = max(line_start, start - 60)
    right = min(line_end, left + 120)
    width = max(1, min(end, right) - start)
    shown = "".join(c if c.isprintable() else " " if c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in source[left:right].rstrip("\r"))
    return f"  {shown}\n  {' ' * (start - left)}{'^' * width}"


def _at(source: str, span: tuple[int, int] | None) -> str:
    """The place of a span in words, both counted from 1; nothing without one."""
    if span is None or not source:
        return ""
    return f" (line {source.count(chr(10), 0, span[0]) + 1}, column {span[0] - source.rfind(chr(10), 0, span[0])})"


class GrammarSyntaxError(GrammarError):
    """Text that does not parse. `span` is (start, end) in characters of `source`; `line` and `column` count from 1.

    Where a text ends too early, line and column are those of the end of its last line with anything on it.
    """

    def __init__(self, reason: str, source: str = "", span: tuple[int, int] = (0, 0), hint: str = "") -> None:
        self.reason, self.source, self.span, self.hint = reason, source, span, hint
        shown = _shown_span(source, span)
        self.line = source.count("\n", 0, shown[0]) + 1
        self.column = shown[0] - source.rfind("\n", 0, shown[0])
        text = f"{reason} (line {self.line}, column {self.column})"
        if hint:
            text += f"; {hint}"
        if source:
            text += "\n" + _marked(source, shown)
        super().__init__(text)


def _at_pointer(pointer: str, owner: str) -> str:
    return f" (at {pointer or ('its top' if owner else 'the top of the schema')})"


class SchemaError(GrammarError):
    """A JSON Schema, or other description in JSON, that is itself not valid. `pointer` is the JSON pointer of the spot ("" is the whole).

    `owner` names the tag or tool it belongs to, where there is one.
    """

    def __init__(self, reason: str, pointer: str = "", hint: str = "", *, owner: str = "") -> None:
        self.reason, self.pointer, self.hint, self.owner = reason, pointer, hint, owner
        super().__init__((f"{owner}: " if owner else "") + reason + _at_pointer(pointer, owner) + (f"; {hint}" if hint else ""))


class UnsupportedFeatureError(GrammarError):
    """A valid grammar that asks for something which cannot be enforced. Carries `pointer` (schemas) or `source` and `span` (texts).

    `owner` names the tag or tool it belongs to, where there is one.
    """

    def __init__(
        self,
        feature: str,
        reason: str = "",
        *,
        pointer: str | None = None,
        source: str = "",
        span: tuple[int, int] | None = None,
        hint: str = "",
        owner: str = "",
    ) -> None:
        self.feature, self.reason, self.pointer, self.source, self.span, self.hint = feature, reason, pointer, source, span, hint
        self.owner = owner
        text = (f"{owner}: " if owner else "") + f"{feature} is not supported"
        if reason:
            text += f": {reason}"
        if pointer is not None:
            text += _at_pointer(pointer, owner)
        if hint:
            text += f"; {hint}"
        if span is not None and source:
            text += "\n" + _marked(source, _shown_span(source, span))
        super().__init__(text)


class EmptyLanguageError(GrammarError):
    """No text at all matches the grammar. `place` names the rule or JSON pointer; `reason` says why."""

    def __init__(self, place: str, reason: str = "") -> None:
        self.place, self.reason = place, reason
        super().__init__(f"nothing can match {place or 'this grammar'}" + (f": {reason}" if reason else ""))


class NoExitError(GrammarError):
    """A rule that can start but never finish, so that a model inside it could never complete. `rule` names it; `source` and `span` show it in a text."""

    def __init__(self, rule: str, hint: str = "add an alternative that ends", *, source: str = "", span: tuple[int, int] | None = None) -> None:
        self.rule, self.hint, self.source, self.span = rule, hint, source, span
        text = f"rule {rule!r} has no way out: every alternative of it leads back into it{_at(source, span)}; {hint}"
        super().__init__(text + ("\n" + _marked(source, span) if span is not None and source else ""))


class UnspellableError(GrammarError):
    """The vocabulary's tokens cannot spell what the grammar demands. `text` is a piece that cannot be spelled."""

    def __init__(self, text: bytes, reason: str = "") -> None:
        self.text, self.reason = text, reason
        super().__init__(
            f"the vocabulary has no tokens that spell {text!r}"
            + (f": {reason}" if reason else "")
            + "; use a vocabulary with single-byte tokens or change the grammar"
        )


class GrammarTypeError(GrammarError, TypeError):
    """An object that is no grammar and stands for none. `got` names its type."""

    def __init__(self, got: str, hint: str = "") -> None:
        self.got, self.hint = got, hint
        super().__init__(f"a grammar is needed here, got {got}" + (f"; {hint}" if hint else ""))


class LimitError(GrammaskError, ValueError):
    """An input is larger than a stated limit. `limit` names it, `value` is what was asked (None: not counted to the end), `bound` what is allowed."""

    def __init__(self, limit: str, value: float | None, bound: float, hint: str = "") -> None:
        self.limit, self.value, self.bound, self.hint = limit, value, bound, hint
        text = f"{limit} exceeds the limit of {bound}" if value is None else f"{limit} is {value}, over the limit of {bound}"
        super().__init__(text + (f"; {hint}" if hint else ""))


class VocabularyError(GrammaskError, ValueError):
    """Token ids or bytes that make no vocabulary."""


class TokenizerFormatError(VocabularyError):
    """A tokenizer file that cannot be read as what it claims to be."""

    def __init__(self, path: str, reason: str, hint: str = "") -> None:
        self.path, self.reason, self.hint = path, reason, hint
        super().__init__(f"cannot read a tokenizer from {path}: {reason}" + (f"; {hint}" if hint else ""))


class TokenizerMismatchError(VocabularyError):
    """The bytes held for a token differ from the text that its tokenizer encodes with it."""

    def __init__(self, token_id: int, token: bytes, text: str, reason: str = "") -> None:
        self.token_id, self.token, self.text, self.reason = token_id, token, text, reason
        super().__init__(
            f"token {token_id} is held as {token!r}, which does not fit the encoding of {text!r}"
            + (f": {reason}" if reason else "")
            + "; pass the exact bytes with grammask.Vocabulary(tokens, ...)"
        )


class IndexFileError(GrammaskError, ValueError):
    """A saved index that is damaged, of another version or of another vocabulary."""

    def __init__(self, path: str, reason: str, hint: str = "make the index anew with constraint.index()") -> None:
        self.path, self.reason, self.hint = path, reason, hint
        super().__init__(f"cannot use the index in {path}: {reason}" + (f"; {hint}" if hint else ""))


class DataSetError(GrammaskError, ValueError):
    """A data set that a batch cannot read. `path` is the file or folder, `line` the line of it, counted from 1, where it is in lines."""

    def __init__(self, path: str, reason: str, line: int | None = None, hint: str = "") -> None:
        self.path, self.reason, self.line, self.hint = path, reason, line, hint
        super().__init__(f"{path}" + (f", line {line}" if line is not None else "") + f": {reason}" + (f"; {hint}" if hint else ""))


class BatchFolderError(GrammaskError, ValueError):
    """A folder that holds the rows of another batch, or that cannot be written to."""

    def __init__(self, path: str, reason: str, hint: str = "") -> None:
        self.path, self.reason, self.hint = path, reason, hint
        super().__init__(f"cannot keep the rows of this batch in {path}: {reason}" + (f"; {hint}" if hint else ""))


class DecodingError(GrammaskError):
    """Something went wrong while generating."""


class TokenRefused(DecodingError, ValueError):
    """A token that the grammar does not allow here; the matcher's state is unchanged. `state`: of an index, None for a matcher."""

    def __init__(self, token_id: int, token: bytes = b"", position: int = 0, state: int | None = None) -> None:
        self.token_id, self.token, self.position, self.state = token_id, token, position, state
        spelled = f" ({token!r})" if token else ""
        if state is not None:
            super().__init__(f"token {token_id}{spelled} is not allowed in state {state} of the index; ask index.allowed_tokens({state}) for those that are")
        else:
            super().__init__(f"token {token_id}{spelled} is not allowed at position {position}; ask matcher.allowed_tokens() for those that are")


class TokenOutOfRange(DecodingError, IndexError):
    """An id that the vocabulary does not have."""

    def __init__(self, token_id: int, vocabulary_size: int) -> None:
        self.token_id, self.vocabulary_size = token_id, vocabulary_size
        super().__init__(f"token id {token_id!r} is outside the vocabulary (0 to {vocabulary_size - 1})")


class StateOutOfRange(DecodingError, IndexError):
    """A number that is no state of an index."""

    def __init__(self, state: int, n_states: int) -> None:
        self.state, self.n_states = state, n_states
        super().__init__(f"there is no state {state!r} in an index of {n_states} states, which count from 0")


class GrammarStuck(DecodingError):
    """No token is allowed and the output is not complete."""

    def __init__(self, text: str = "", reason: str = "no legal continuation in this state") -> None:
        self.text, self.reason = text, reason
        super().__init__(f"{reason}" + (f" after {text[-80:]!r}" if text else ""))


class FinishedError(DecodingError):
    """A token was offered after the end token; roll back or reset first."""

    def __init__(self) -> None:
        super().__init__("the output has ended (an end token was taken); call rollback or reset first")


class RollbackError(DecodingError, ValueError):
    """A rollback over more tokens than were taken."""

    def __init__(self, requested: int, available: int) -> None:
        self.requested, self.available = requested, available
        super().__init__(f"cannot roll back {requested!r} tokens: {available} were taken")


class MaskShapeError(DecodingError, ValueError):
    """A mask row of the wrong size or type."""

    def __init__(self, expected: int, got: str) -> None:
        self.expected, self.got = expected, got
        super().__init__(
            f"a mask row here is a writable contiguous buffer of {expected} 32-bit words, got {got}; make one with numpy.zeros({expected}, dtype=numpy.uint32)"
        )


class BudgetError(DecodingError, ValueError):
    """`max_tokens` cannot hold any complete output. `achievable` is a number of tokens that can."""

    def __init__(self, max_tokens: int, achievable: int | None) -> None:
        self.max_tokens, self.achievable = max_tokens, achievable
        way_out = f"; {achievable} {'is' if achievable == 1 else 'are'} enough" if achievable is not None else ""
        super().__init__(f"max_tokens={max_tokens} cannot hold a complete output{way_out}")


class SamplingError(DecodingError, ValueError):
    """Options or scores with which nothing can be sampled. `option` names the argument, `value` is what it held."""

    def __init__(self, option: str, value: object, reason: str) -> None:
        self.option, self.value, self.reason = option, value, reason
        super().__init__(f"{option}={value!r:.80}: {reason}")


class ModelError(GrammaskError):
    """A model or the engine that runs it."""


class PromptError(ModelError, ValueError):
    """A prompt that cannot be given to a model: neither text nor messages, or not spelled in Unicode characters."""

    def __init__(self, reason: str, hint: str = "") -> None:
        self.reason, self.hint = reason, hint
        super().__init__(reason + (f"; {hint}" if hint else ""))


class ModelNotFoundError(ModelError, LookupError):
    """No model at that place."""

    def __init__(self, path: str, hint: str = "") -> None:
        self.path, self.hint = path, hint
        super().__init__(f"no model found at {path}" + (f"; {hint}" if hint else ""))


class ModelFileError(ModelError, ValueError):
    """A file that is not a complete, readable model."""

    def __init__(self, path: str, reason: str, hint: str = "") -> None:
        self.path, self.reason, self.hint = path, reason, hint
        super().__init__(f"cannot load a model from {path}: {reason}" + (f"; {hint}" if hint else ""))


class EngineError(ModelError):
    """The library that runs the model is missing or does not behave as expected."""

    def __init__(self, engine: str, reason: str, hint: str = "") -> None:
        self.engine, self.reason, self.hint = engine, reason, hint
        super().__init__(f"{engine}: {reason}" + (f"; {hint}" if hint else ""))
