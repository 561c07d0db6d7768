"""`python -m grammask.tools.bench.vllm_backends MODEL`: vLLM with grammask beside vLLM with its own back ends, in one run.

One engine for each back end, all in this process, and MaskBench's schemas in portions that the engines take in turn, so that what else the machine
does falls on all of them. Timed are only the schemas that every back end takes; verdicts are over all that each one takes.
Rule: ratios only mean something within one run.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any, Final

from grammask.tools.bench.record import circumstances, write_record

__all__ = ["main"]

DATA: Final = Path("..") / "shared" / "data" / "maskbench.jsonl.xz"
BACKENDS: Final = ("grammask", "xgrammar", "guidance")
PORTION: Final = 20


@dataclass(frozen=True, slots=True)
class Task:
    """A schema, and a document of it to be copied, so that a small model has something to write."""

    name: str
    schema: Any
    prompt: str


@dataclass(slots=True)
class Tally:
    """What one back end did."""

    refused: list[str] = field(default_factory=list)
    admission_ms: list[float] = field(default_factory=list)
    first_token_s: list[float] = field(default_factory=list)
    tokens: int = 0
    seconds: float = 0.0
    verdicts: Counter[str] = field(default_factory=Counter)


def tasks(data: Path, number: int, seed: int) -> list[Task]:
    """Schemas drawn by seed from those with a valid document."""
    with lzma.open(data, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    random.Random(seed).shuffle(records)
    made = []
    for number_, record in enumerate(records):
        valid = [test["data"] for test in record["tests"] if test["valid"]]
        if valid:
            document = json.dumps(valid[0], ensure_ascii=False)[:400]
            made.append(Task(str(record.get("id", number_)), record["schema"], f"Copy this document.\n{document}\n\nCopy:\n"))
        if len(made) == number:
            break
    return made


class Engine:
    """vLLM with one back end, in this process."""

    def __init__(self, model: str, backend: str, max_tokens: int) -> None:
        from vllm import LLM

        chosen: dict[str, Any] = {} if backend == "grammask" else {"structured_outputs_config": {"backend": backend}}
        self.llm = LLM(model, max_model_len=1024, max_num_seqs=PORTION, enforce_eager=True, dtype="float32", enable_prefix_caching=False, **chosen)
        self.backend, self.tally, self._max_tokens, self._next = backend, Tally(), max_tokens, 0

    def _params(self, schema: Any) -> Any:
        from vllm import SamplingParams
        from vllm.sampling_params import StructuredOutputsParams

        wish = StructuredOutputsParams(json=json.dumps(schema, ensure_ascii=False))
        return SamplingParams(temperature=0, max_tokens=self._max_tokens, structured_outputs=wish)

    def admits(self, task: Task) -> bool:
        """Whether the front end takes the schema; timed."""
        admission = self.llm.llm_engine.input_processor
        try:
            started = time.perf_counter()
            settings = (admission.model_config, admission.speculative_config, admission.structured_outputs_config, admission.tokenizer)
            self._params(task.schema).verify(*settings)
            self.tally.admission_ms.append((time.perf_counter() - started) * 1e3)
        except Exception as error:  # noqa: BLE001  # whatever it is, the client gets it
            self.tally.refused.append(f"{task.name}: {error!s:.200}")
            return False
        return True

    def generate(self, portion: Sequence[Task], *, timed: bool) -> None:
        """Answer some tasks at once."""
        engine: Any = self.llm.llm_engine
        first: dict[str, float] = {}
        names: dict[str, Task] = {}
        started = time.perf_counter()
        for task in portion:
            self._next += 1
            names[str(self._next)] = task
            engine.add_request(str(self._next), task.prompt, self._params(task.schema))
        tokens = 0
        while engine.has_unfinished_requests():
            for output in engine.step():
                now = time.perf_counter() - started
                if output.outputs[0].token_ids:
                    first.setdefault(output.request_id, now)
                if output.finished:
                    tokens += len(output.outputs[0].token_ids)
                    self.tally.verdicts[verdict(output.outputs[0], names[output.request_id].schema)] += 1
        if timed:
            self.tally.seconds += time.perf_counter() - started
            self.tally.tokens += tokens
            self.tally.first_token_s += first.values()


def verdict(output: Any, schema: Any) -> str:
    """valid, invalid, cut off (by max_tokens), or error."""
    jsonschema: Any = import_module("jsonschema")
    if output.finish_reason != "stop":
        return "cut off" if output.finish_reason == "length" else "error"
    try:
        kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
        kind(schema, format_checker=kind.FORMAT_CHECKER).validate(json.loads(output.text))
    except (ValueError, jsonschema.ValidationError):
        return "invalid"
    except Exception:  # noqa: BLE001  # a schema that the validator cannot use, such as one with a reference to elsewhere
        return "not judged"
    return "valid"


def measure(engines: Sequence[Engine], chosen: Sequence[Task]) -> int:
    """Fill the engines' tallies; the number of schemas that all of them take."""
    taken = {engine.backend: [engine.admits(task) for task in chosen] for engine in engines}
    shared = [task for place, task in enumerate(chosen) if all(each[place] for each in taken.values())]
    for engine in engines:  # what a first request loads
        engine.generate([Task("warm", {"type": "object"}, "Copy:\n{}\n")] * 2, timed=False)
        engine.tally.verdicts.clear()
    for start in range(0, len(shared), PORTION):
        turn = start // PORTION % len(engines)
        for engine in [*engines[turn:], *engines[:turn]]:
            engine.generate(shared[start : start + PORTION], timed=True)
    for engine in engines:
        engine.generate([task for task, yes in zip(chosen, taken[engine.backend], strict=True) if yes and task not in shared], timed=False)
    return len(shared)


def figures(tally: Tally) -> dict[str, Any]:
    """The row of one back end."""
    waits = sorted(tally.first_token_s)
    return {
        "refused": len(tally.refused),
        **{name.replace(" ", "_"): tally.verdicts[name] for name in ("valid", "invalid", "cut off", "error", "not judged")},
        "tokens": tally.tokens,
        "tokens_per_s": tally.tokens / tally.seconds if tally.seconds else 0.0,
        "first_token_p50_s": median(waits) if waits else 0.0,
        "first_token_p95_s": waits[int(len(waits) * 0.95)] if waits else 0.0,
        "admission_p50_ms": median(tally.admission_ms) if tally.admission_ms else 0.0,
        "admission_max_ms": max(tally.admission_ms, default=0.0),
    }


def draw(path: Path, rows: Mapping[str, Mapping[str, Any]], title: str) -> None:
    """Three panels: tokens a second, time to the first token, what became of the schemas."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    names = list(rows)
    figure, (speed, wait, fate) = plt.subplots(1, 3, figsize=(14, 4.5), layout="constrained")
    speed.bar(names, [rows[name]["tokens_per_s"] for name in names])
    speed.set(title="tokens a second, whole batch")
    wait.bar(names, [rows[name]["first_token_p95_s"] for name in names], color="tab:orange", label="p95")
    wait.bar(names, [rows[name]["first_token_p50_s"] for name in names], color="tab:blue", width=0.5, label="p50")
    wait.set(title="seconds to the first token")
    wait.legend()
    base = [0] * len(names)
    for kind in ("valid", "cut_off", "not_judged", "invalid", "error", "refused"):
        heights = [rows[name][kind] for name in names]
        fate.bar(names, heights, bottom=base, label=kind.replace("_", " "))
        base = [low + high for low, high in zip(base, heights, strict=True)]
    fate.set(title="schemas")
    fate.legend(fontsize="small")
    figure.suptitle(title)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: measured; 3: the data is missing."""
    parser = argparse.ArgumentParser(prog="python -m grammask.tools.bench.vllm_backends", description="vLLM's back ends side by side in one run.")
    parser.add_argument("model", help="a folder with safetensors")
    parser.add_argument("--schemas", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--max-tokens", type=int, default=96)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--record", type=Path, default=Path("benchmarks") / "record", help="folder for the figures and the plot")
    options = parser.parse_args(arguments)
    if not options.data.exists():
        print(f"grammask bench: {options.data} is not there; name it with --data", file=sys.stderr)
        return 3
    chosen = tasks(options.data, options.schemas, options.seed)
    os.environ |= {"GRAMMASK_VLLM": "1", "VLLM_ENABLE_V1_MULTIPROCESSING": "0", "HF_HUB_OFFLINE": "1"}
    os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", "1")
    engines = [Engine(options.model, backend, options.max_tokens) for backend in BACKENDS]
    shared = measure(engines, chosen)
    rows = {engine.backend: figures(engine.tally) for engine in engines}
    ours = rows["grammask"]
    ratios = {
        other: {key: ours[key] / row[key] for key in ("tokens_per_s", "first_token_p50_s", "first_token_p95_s", "admission_p50_ms") if row[key]}
        for other, row in rows.items()
        if other != "grammask"
    }
    about = circumstances(
        ["grammask", "vllm", "vllm-cpu", "xgrammar", "llguidance", "torch"],
        {"schemas": len(chosen), "seed": options.seed, "max_tokens": options.max_tokens, "at_once": PORTION},
    )
    refused = {engine.backend: engine.tally.refused for engine in engines}
    name = f"vllm-{about['date']}-{len(chosen)}"
    record = write_record(options.record, name, {**about, "timed_schemas": shared, "rows": rows, "grammask_to": ratios, "refused": refused})
    draw(record.with_suffix(".png"), rows, f"vLLM on a CPU, {len(chosen)} schemas of MaskBench, {shared} of them timed, {about['date']}")
    print(json.dumps({"rows": rows, "grammask_to": ratios}, indent=1))
    print(record)
    return 0


if __name__ == "__main__":
    sys.exit(main())
