"""The same call on a cluster: two nodes, each with a processor of its own, of which one is taken away. `make test-ray` runs it."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import grammask

ray = pytest.importorskip("ray", reason="Ray is not installed (make test-ray)")
cluster_utils = pytest.importorskip("ray.cluster_utils", reason="Ray is not installed (make test-ray)")
pytest.importorskip("ray.data", reason="Ray Data is not installed (make test-ray)")

pytestmark = [pytest.mark.ray, pytest.mark.filterwarnings("default")]

NODE = {"num_cpus": 1, "object_store_memory": 80_000_000}


class RandomModel:
    """A model of random scores, slow enough to be interrupted, which notes its node."""

    def __init__(self, notes: str) -> None:
        self.vocabulary = grammask.Vocabulary([*(bytes([byte]) for byte in range(256)), b""], [256], encode=lambda text: list(text.encode()))
        self._rng = np.random.default_rng(0)
        (Path(notes) / ray.get_runtime_context().get_node_id()).touch()

    def begin(self, prompt_token_ids: Any) -> None:
        time.sleep(0.02)

    def logits(self) -> Any:
        return self._rng.standard_normal(257).astype(np.float32)

    def accept(self, token_id: int) -> None: ...

    def rewind(self, n: int) -> None: ...


@pytest.fixture
def nodes() -> Iterator[tuple[Any, Any]]:
    """A cluster on this machine, and its second node."""
    cluster = cluster_utils.Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    second = cluster.add_node(**NODE)
    ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = context.print_on_execution_start = False
    yield cluster, second
    ray.shutdown()
    cluster.shutdown()


def test_every_row_is_there_once_though_a_node_is_lost(nodes: tuple[Any, Any], tmp_path: Path) -> None:
    """An actor works on each node; the parts of the one that goes are answered on the other."""
    cluster, second = nodes
    notes, source = tmp_path / "notes", tmp_path / "a.jsonl"
    notes.mkdir()
    source.write_text("".join(json.dumps({"text": f"document {number}"}) + "\n" for number in range(200)))
    lost: list[int] = []

    def lose_a_node(report: grammask.BatchReport) -> None:
        if not lost and len(list(notes.iterdir())) == 2:
            lost.append(report.rows_done)
            cluster.remove_node(second, allow_graceful=False)

    digits = partial(grammask.regex, "[0-9]{1,4}")
    report = grammask.batch(source, tmp_path / "out", digits, model=partial(RandomModel, str(notes)), actors=2, rows_per_part=10, on_progress=lose_a_node)
    assert lost
    assert lost[0] < 200
    assert report.is_complete
    rows = [json.loads(line) for path in sorted((tmp_path / "out").glob("part-*")) for line in path.read_text().splitlines()]
    assert [row["row"] for row in rows] == list(range(200))
    assert all(row["error"] is None for row in rows)
