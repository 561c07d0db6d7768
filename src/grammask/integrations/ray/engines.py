"""What a model answers to rows, whatever kind of model it is: the embedded one, one of transformers, vLLM's, or any with scores.

Rule: an answer is a row's own, an error of it too; only what would go wrong with every row is raised.
Below: chat_model, describing, api, decoding.  Above: extractor.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Final, NamedTuple

from grammask.api import compile as compile_grammar
from grammask.arguments import table
from grammask.decoding.generate import GenerateOptions, LanguageModel, generate
from grammask.decoding.result import Result
from grammask.decoding.sampling import Sampling
from grammask.errors import ArgumentError, EngineError, PromptError, SamplingError
from grammask.grammar.grammar import Grammar
from grammask.integrations.chat import messages_of
from grammask.integrations.chat_model import ChatModel, OutputSettings
from grammask.integrations.describing import SMALL_MODEL_PARAMETERS, described

__all__ = ["Answer", "Asked", "Engine", "engine_of", "options_of"]

_SAMPLING: Final = tuple(field.name for field in fields(Sampling))
_ONLY_CHAT: Final = ("system", "describe")
_OF_VLLM: Final = ("temperature", "top_k", "top_p", "min_p", "seed", "max_tokens", *_ONLY_CHAT)


class Asked(NamedTuple):
    """A row's number in the data set and its prompt: a text or messages; or why it has none."""

    number: int
    prompt: Any = None
    error: Exception | None = None


class Answer(NamedTuple):
    """The text of an output, with why it ended and its tokens; or the error in its place."""

    text: str | None = None
    finish_reason: str | None = None
    n_tokens: int | None = None
    error: Exception | None = None


class Engine(ABC):
    """A loaded model with a grammar and settings."""

    @abstractmethod
    def answers(self, rows: Sequence[Asked]) -> Iterator[Answer]:
        """One for each row, in order. Raises EngineError if the model as such fails."""


def options_of(settings: Mapping[str, Any]) -> GenerateOptions:
    """The same settings as a loop takes them. Raises ArgumentError for one there is none of, SamplingError for values out of range."""
    for name, value in settings.items():
        if name not in OutputSettings.__annotations__:
            raise ArgumentError("batch", name, value, f"no such setting; there are {', '.join(OutputSettings.__annotations__)}")
    stop = settings.get("stop", ())
    given = {name: value for name, value in settings.items() if name not in (*_SAMPLING, *_ONLY_CHAT, "stop")}
    sampling = Sampling(**{"temperature": 0.0, **{name: settings[name] for name in _SAMPLING if name in settings}})
    return GenerateOptions(sampling=sampling, stop=(stop,) if isinstance(stop, str) else stop, **given)


def engine_of(model: object, grammar: Grammar, given: object, settings: Mapping[str, Any]) -> Engine:
    """The engine for what a factory gave.

    given: what the grammar was made of. Raises EngineError for an object of another kind, what compiling for its vocabulary raises, BudgetError for
    max_tokens that hold no output at all, SamplingError for settings that such a model does not have.
    """
    if isinstance(model, ChatModel):
        return _ChatEngine(model, grammar, settings)
    if type(model).__module__.partition(".")[0] == "vllm" and hasattr(model, "chat"):
        return VllmEngine(model, grammar, given, settings)
    if isinstance(model, LanguageModel):
        return _LoopEngine(model, grammar, settings)
    hint = "a factory gives what load_model or from_transformers give, a vllm.LLM, or a grammask.LanguageModel"
    raise EngineError("model", f"its factory gave an object of type {type(model).__name__}", hint)


class _OneByOne(Engine):
    """Models that answer one row at a time. An error of the model is a row's own unless the engine is gone."""

    def answers(self, rows: Sequence[Asked]) -> Iterator[Answer]:
        for row in rows:
            try:
                yield Answer(error=row.error) if row.error is not None else _checked(self._result(row))
            except (EngineError, MemoryError):
                raise
            except Exception as error:  # noqa: BLE001 -- kept in the row's place
                yield Answer(error=error)

    @abstractmethod
    def _result(self, row: Asked) -> Result: ...


def _checked(result: Result) -> Answer:
    """The answer of a result whose value could be read: a class may have validators that no grammar knows."""
    _ = result.value
    return Answer(result.text, result.finish_reason, len(result.token_ids))


class _ChatEngine(_OneByOne):
    def __init__(self, model: ChatModel, grammar: Grammar, settings: Mapping[str, Any]) -> None:
        self._model, self._settings = model, settings
        self._constraint = compile_grammar(grammar, model.vocabulary)
        self._constraint.matcher(options_of(settings).max_tokens)

    def _result(self, row: Asked) -> Result:
        settings: Any = {**self._settings, **_seeded(self._settings.get("seed"), row.number)}
        return self._model.generate(row.prompt, self._constraint, **settings)


class _LoopEngine(_OneByOne):
    """A model of nothing but scores. Its prompts are plain text, the messages one after the other."""

    def __init__(self, model: LanguageModel, grammar: Grammar, settings: Mapping[str, Any]) -> None:
        if model.vocabulary.encode is None:
            raise EngineError("model", "its vocabulary has no encoder, so that prompts cannot be cut into tokens", "give the vocabulary encode=...")
        self._model, self._encode, self._system = model, model.vocabulary.encode, settings.get("system")
        self._constraint, self._options = compile_grammar(grammar, model.vocabulary), options_of(settings)
        self._constraint.matcher(self._options.max_tokens)

    def _result(self, row: Asked) -> Result:
        prompt = "\n\n".join(content for _, content in messages_of(row.prompt, self._system))
        options = replace(self._options, **_seeded(self._options.seed, row.number))
        return generate(self._model, self._encode(prompt), self._constraint, options)


def _seeded(seed: int | None, number: int) -> dict[str, Any]:
    """A seed of its own for each row, the same whoever answers it."""
    return {} if seed is None else {"seed": seed + number}


# --- vLLM -----------------------------------------------------------------------------------------------------------


class VllmEngine(Engine):
    """A `vllm.LLM`: all rows of a part at once, each held to the grammar by the logits processor that grammask gives vLLM."""

    def __init__(self, llm: Any, grammar: Grammar, given: object, settings: Mapping[str, Any]) -> None:
        for name, value in settings.items():
            if name not in _OF_VLLM:
                raise SamplingError(name, value, f"vLLM is given {', '.join(_OF_VLLM)}; other settings belong to models that grammask drives")
        self._llm, self._grammar, self._settings = llm, grammar, dict(settings)
        self._request: dict[str, Any] = {**_request_for(grammar, given), "fit_max_tokens": True}

    def answers(self, rows: Sequence[Asked]) -> Iterator[Answer]:
        prompts = [self._prompt(row) for row in rows]
        asked = [(row, prompt) for row, prompt in zip(rows, prompts, strict=True) if isinstance(prompt, list)]
        answered = iter(self._answered(asked))
        for prompt in prompts:
            yield next(answered) if isinstance(prompt, list) else Answer(error=prompt)

    def _prompt(self, row: Asked) -> list[dict[str, str]] | Exception:
        if row.error is not None:
            return row.error
        try:
            messages = messages_of(row.prompt, self._settings.get("system"))
        except PromptError as error:
            return error
        if self._settings.get("describe", True):
            messages = described(messages, self._grammar, SMALL_MODEL_PARAMETERS)
        return [{"role": role, "content": content} for role, content in messages]

    def _answered(self, asked: Sequence[tuple[Asked, list[dict[str, str]]]]) -> list[Answer]:
        """All at once; if vLLM refuses that, as it does for one prompt that is too long, one by one, so that it is known whose fault it is."""
        if not asked:
            return []
        try:
            params = [self._params(row) for row, _ in asked]
            outputs = self._llm.chat([messages for _, messages in asked], sampling_params=params, use_tqdm=False)
            return [self._read(output.outputs[0]) for output in outputs]
        except ValueError as error:
            if len(asked) == 1:
                return [Answer(error=error)]
            return [answer for one in asked for answer in self._answered([one])]
        except Exception as error:
            raise EngineError("vllm", f"{type(error).__name__}: {error}") from error

    def _params(self, row: Asked) -> Any:
        from vllm import SamplingParams

        plain = {name: value for name, value in self._settings.items() if name in _OF_VLLM and name not in _ONLY_CHAT and value is not None}
        seeded = _seeded(self._settings.get("seed"), row.number)
        return SamplingParams(**{"temperature": 0.0, "max_tokens": 256, **plain, **seeded}, extra_args={"grammask": self._request})

    def _read(self, output: Any) -> Answer:
        reason = "complete" if output.finish_reason == "stop" else str(output.finish_reason)
        if reason == "complete":
            try:
                self._grammar.value(output.text)
            except Exception as error:  # noqa: BLE001 -- a validator's, or a text that was broken off: kept in the row's place
                return Answer(error=error)
        return Answer(output.text, reason, len(output.token_ids))


def _request_for(grammar: Grammar, given: object) -> dict[str, Any]:
    """A grammar as vLLM's processes are told it, who share no objects: a schema as it is, all else in GBNF."""
    schema = given if table.holds(given) else grammar.source if grammar.kind == "type" else None
    return {"json_schema": schema} if table.holds(schema) else {"gbnf": grammar.to_gbnf()}
