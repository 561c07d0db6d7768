"""Masks for scores in torch: on the processor in their own memory, elsewhere by torch's operations or by Triton's kernel.

No GPU is needed: the operations are the same on every device, and the kernel is run by Triton's interpreter. On a GPU, where there is one,
the last test runs the kernel itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import grammask
from grammask.decoding import device_mask, mask
from grammask.decoding.mask import apply_mask
from grammask.errors import MaskShapeError, SamplingError

torch = pytest.importorskip("torch", reason="torch is not installed")

KINDS = ["float64", "float32", "float16", "bfloat16"]


def rows_of(n: int, size: int, share: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Random rows, and what they allow as booleans."""
    allowed = np.random.default_rng(seed).random((n, size)) < share
    padded = np.zeros((n, -(-size // 32) * 32), dtype=np.bool_)
    padded[:, :size] = allowed
    return np.packbits(padded, axis=1, bitorder="little").view("<u4").astype(np.uint32), allowed


def scores_of(kind: str, *shape: int):
    """Random scores with infinities and NaN among them."""
    held = torch.randn(*shape, generator=torch.Generator().manual_seed(1)).to(getattr(torch, kind))
    flat = held.view(-1)
    flat[::7], flat[1::11], flat[2::13] = float("nan"), float("inf"), -float("inf")
    return held


def expected(before, allowed: np.ndarray):
    """The scores with minus infinity where nothing is allowed, those beyond the rows included."""
    wide = np.zeros(tuple(before.shape), dtype=np.bool_)
    wide[..., : allowed.shape[-1]] = allowed
    return torch.where(torch.from_numpy(wide), before, torch.full_like(before, -float("inf")))


def same_bits(one, other) -> bool:
    kind = {8: torch.int64, 4: torch.int32, 2: torch.int16}[one.element_size()]
    return torch.equal(one.contiguous().view(kind), other.contiguous().view(kind))


@pytest.fixture(params=["memory", "operations"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways that a tensor may be masked, each through `apply_mask`."""
    if request.param == "operations":
        checked = mask._in_memory
        monkeypatch.setattr(mask, "_in_memory", lambda logits: checked(logits) and None)
    return request.param


@pytest.mark.parametrize("share", [0.0, 0.0005, 0.4, 1.0])
@pytest.mark.parametrize("kind", KINDS)
def test_batches_are_masked_row_by_row(way: str, kind: str, share: float) -> None:
    """Allowed scores keep every bit, the others become minus infinity, whatever they were; scores wider than the vocabulary are forbidden."""
    rows, allowed = rows_of(3, 10_007, share)
    before = scores_of(kind, 3, 10_050)
    after = before.clone()
    apply_mask(after, rows)
    assert same_bits(after, expected(before, allowed))


@pytest.mark.parametrize("kind", KINDS)
def test_one_row_of_scores_takes_one_row(way: str, kind: str) -> None:
    """Also as int32 tensors, and for scores that need gradients."""
    rows, allowed = rows_of(1, 4_001, 0.3)
    before = scores_of(kind, 4_001)
    after = before.clone().requires_grad_()
    apply_mask(after, torch.from_numpy(rows[0].view(np.int32)))
    assert same_bits(after.detach(), expected(before, allowed[0]))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lay", ["every second", "columns first", "every third row", "within wider rows"])
def test_scores_that_do_not_lie_side_by_side_are_masked_in_place(way: str, kind: str, lay: str) -> None:
    """Views with any strides: what lies between is left alone."""
    rows, allowed = rows_of(4, 1_000, 0.5)
    whole = scores_of(kind, 12, 2_000)
    views = {
        "every second": lambda held: held[:4, ::2],
        "columns first": lambda held: held[:4].view(1_000, 8).t()[:4],
        "every third row": lambda held: held[::3, 500:1_500],
        "within wider rows": lambda held: held[2:6, 7:1_007],
    }
    before = views[lay](whole).clone()
    kept = whole.clone()
    apply_mask(views[lay](whole), rows)
    assert same_bits(views[lay](whole), expected(before, allowed))
    views[lay](whole).copy_(before)
    assert same_bits(whole, kept)


def test_rows_with_strides_and_rows_of_every_word_type(way: str) -> None:
    """A slice of a larger table of rows serves as well as a table of its own, signed or not, of numpy or torch."""
    rows, allowed = rows_of(2, 640, 0.5)
    table = np.zeros((4, 40), dtype=np.uint32)
    table[::2, :20] = rows
    for given in (table[::2, :20], table.view(np.int32)[::2, :20], torch.from_numpy(table.view(np.int32))[::2, :20]):
        scores = torch.zeros(2, 640)
        apply_mask(scores, given)
        assert (scores == 0).numpy().tolist() == allowed.tolist()


def test_a_matcher_s_row_masks_a_model_s_scores(way: str) -> None:
    """From a grammar to scores: what is left are the tokens that the matcher allows."""
    vocabulary = grammask.Vocabulary([b"a", b"b", b"ab", b""], eos_ids=[3])
    constraint = grammask.compile(grammask.regex("(ab)+"), vocabulary)
    row = torch.zeros(constraint.mask_words, dtype=torch.int32)
    matcher = constraint.matcher()
    matcher.fill_mask(row.numpy())
    scores = torch.zeros(64, dtype=torch.bfloat16)
    apply_mask(scores, row)
    assert torch.nonzero(scores == 0).flatten().tolist() == matcher.allowed_tokens().tolist() == [0, 2]


@pytest.mark.parametrize(
    "rows",
    [np.zeros((3, 2), np.uint32), np.zeros((2, 3), np.uint32), np.zeros((2, 2), np.float32), np.zeros((2, 2), np.int64), np.full((2, 2), 1 << 9, np.uint32)],
    ids=["three rows", "wide", "floats", "64-bit", "bits without scores"],
)
def test_rows_that_do_not_fit_are_refused(way: str, rows: np.ndarray) -> None:
    """The same errors wherever the scores are."""
    with pytest.raises(MaskShapeError):
        apply_mask(torch.zeros(2, 41), rows)
    if rows.dtype != np.uint32 or rows.shape != (2, 2):
        with pytest.raises(MaskShapeError):
            apply_mask(torch.zeros(2, 41), torch.from_numpy(rows.view(np.int32) if rows.dtype == np.uint32 else rows))


@pytest.mark.parametrize("scores", [torch.zeros(4, dtype=torch.int64), torch.zeros(2, 2, 2), torch.zeros(())], ids=["integers", "3-d", "0-d"])
def test_scores_of_another_kind_are_refused(way: str, scores) -> None:
    """As in numpy."""
    with pytest.raises(SamplingError):
        apply_mask(scores, np.zeros(1, dtype=np.uint32))


def test_many_rows_are_unpacked_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory beside the scores is bounded, whatever the batch."""
    monkeypatch.setattr(device_mask, "_BITS", 3 * 64)
    rows, allowed = rows_of(10, 50, 0.5)
    scores = torch.zeros(10, 60)
    device_mask.unpack_and_fill(scores, torch.from_numpy(rows.view(np.int32)))
    assert (scores[:, :50] == 0).numpy().tolist() == allowed.tolist()
    assert bool((scores[:, 50:] == -torch.inf).all())


def test_an_empty_batch_is_nothing_to_do(way: str) -> None:
    """No rows, or no scores in them."""
    apply_mask(torch.zeros(0, 40), np.zeros((0, 2), dtype=np.uint32))


# --- Triton ---------------------------------------------------------------------------------------------------------

INTERPRETED = """
import sys
import numpy as np, torch
sys.path.insert(0, sys.argv[1])
from grammask.decoding.device_mask import unpack_and_fill
from grammask.decoding.triton_mask import fill
generator = torch.Generator().manual_seed(3)
for kind in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
    for n, size, width, words in [(1, 5, 5, 1), (3, 5_000, 5_000, 157), (2, 2_049, 2_100, 65), (2, 70, 70, 2), (4, 64, 64, 2), (1, 40, 40, 1), (0, 40, 40, 2)]:
        rows = torch.randint(-(2**31), 2**31, (n, words), generator=generator, dtype=torch.int64).to(torch.int32)
        one = torch.randn(n, width, generator=generator).to(kind)
        other = one.clone()
        fill(one, rows)
        unpack_and_fill(other, rows)
        assert torch.equal(one, other), (kind, n, size)
    whole = torch.randn(6, 400, generator=generator).to(kind)
    kept, table = whole.clone(), torch.randint(-(2**31), 2**31, (6, 14), generator=generator, dtype=torch.int64).to(torch.int32)
    fill(whole[::2, 1::2], table[::2, ::2])
    unpack_and_fill(kept[::2, 1::2], table[::2, ::2])
    assert torch.equal(whole, kept), kind
print("equal")
"""


def test_the_kernel_writes_what_torch_s_operations_write(tmp_path: Path) -> None:
    """Triton's interpreter runs the kernel over all types, sizes and strides: equal to the other way everywhere."""
    pytest.importorskip("triton", reason="triton is not installed")
    script = tmp_path / "interpreted.py"  # Triton reads the source of what it runs
    script.write_text(INTERPRETED, "utf-8")
    source = str(Path(grammask.__file__).parents[1])
    done = subprocess.run([sys.executable, str(script), source], env={**os.environ, "TRITON_INTERPRET": "1"}, capture_output=True, text=True, check=False)
    assert done.stdout == "equal\n", done.stderr


def test_where_the_kernel_does_not_compile_torch_takes_over() -> None:
    """The first failure decides, and the scores are masked all the same."""
    calls = []

    def fails(scores, rows) -> None:
        calls.append(scores)
        raise RuntimeError("no compiler")

    run = device_mask._first_tried(fails)
    for _ in range(2):
        scores = torch.zeros(1, 40)
        run(scores, torch.tensor([[3, 0]], dtype=torch.int32))
        assert torch.nonzero(scores[0] == 0).flatten().tolist() == [0, 1]
    assert len(calls) == 1


def test_cuda_takes_the_kernel_where_triton_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Triton, and on devices of other kinds, torch's operations do it."""
    device_mask._filler.cache_clear()
    monkeypatch.setitem(sys.modules, "grammask.decoding.triton_mask", None)
    assert device_mask._filler("cuda") is device_mask.unpack_and_fill
    device_mask._filler.cache_clear()
    assert device_mask._filler("mps") is device_mask.unpack_and_fill


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU here")
@pytest.mark.parametrize("kind", KINDS)
def test_scores_on_a_gpu_are_masked_there(kind: str) -> None:
    """The kernel itself, with rows of the host and of the device."""
    rows, allowed = rows_of(5, 10_007, 0.3)
    before = scores_of(kind, 5, 10_050)
    for given in (rows, torch.from_numpy(rows.view(np.int32)).cuda()):
        after = before.cuda()
        apply_mask(after, given)
        assert same_bits(after.cpu(), expected(before, allowed))


COMPILED = """
import sys
sys.path.insert(0, sys.argv[1])
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, compile
from grammask.decoding.triton_mask import BLOCK_WORDS, _fill_kernel
pointers = {"rows": "*i32", **{name: "i32" for name in _fill_kernel.arg_names[2:-1]}, "BLOCK": "constexpr"}
for kind in ("fp64", "fp32", "fp16", "bf16"):
    source = ASTSource(_fill_kernel, signature={"scores": f"*{kind}", **pointers}, constexprs={"BLOCK": BLOCK_WORDS})
    for capability in (80, 90):
        assert compile(source, target=GPUTarget("cuda", capability, 32)).asm["cubin"], (kind, capability)
print("compiled")
"""


def test_the_kernel_compiles_for_gpus_without_one(tmp_path: Path) -> None:
    """Triton's own compiler makes machine code of it for two generations of GPUs and every type of scores."""
    pytest.importorskip("triton", reason="triton is not installed")
    script = tmp_path / "compiled.py"
    script.write_text(COMPILED, "utf-8")
    done = subprocess.run([sys.executable, str(script), str(Path(grammask.__file__).parents[1])], capture_output=True, text=True, check=False)
    if "ImportError" in done.stderr or "cannot find ptxas" in done.stderr.lower():
        pytest.skip("this Triton cannot compile for a GPU that is not there")
    assert done.stdout == "compiled\n", done.stderr
