"""The benchmark's shapes, tokens and operations in PyTorch, on the same GPU: what the page's figures stand beside.

    python3 bench/torch_twin.py [OUT.json] [--only targets,growth,steps] [--samples 40] [--tokens-only]

Times are CUDA events, in microseconds, the median of `--samples`, after half a second of other work and with more work
queued before each sample, so that neither a slow clock nor the launch of a kernel is measured:
  single    two events around one call
  repeated  two events around many calls, divided
  microseconds  the smaller of the two: PyTorch at its best
Optimiser steps are on sparse gradients, as `step` does them. Their values, from formulas that the page has too
(parts/resident.ts), go into the report as `steps`, for the page to compare its own with: that needs no GPU.
`--tokens-only` needs no torch and prints the ids' checksums, which the page's report must have too (`inputs`).
"""

import argparse
import datetime
import json
import statistics
import sys

import numpy as np

VOCABULARY = 16_384
# (V, N, D): the table of targets in targets.ts, and what the document's kernels are timed at.
TARGETS = [(VOCABULARY, n, 384) for n in (512, 2_048, 4_096, 8_192, 65_536, 262_144, 1_048_576)]
TARGETS += [(VOCABULARY, 65_536, 768)]
TARGETS += [(v, n, 384) for v in (1_000, 131_072, 1_048_576) for n in (2_048, 65_536)]
GROWTH = [(VOCABULARY, n, 384) for n in (16_384, 32_768, 131_072, 524_288)]
# One optimiser step on the gradient of N tokens.
STEPS = [(VOCABULARY, n, 384) for n in (512, 8_192, 65_536)]


def bits(seed, positions):
    """32 pseudo-random bits a position; the formula stands in workload.ts."""
    mask = np.uint64(0xFFFFFFFF)
    h = (np.uint64(seed) + positions.astype(np.uint64) * np.uint64(0x9E3779B9)) & mask
    h = ((h ^ (h >> np.uint64(16))) * np.uint64(0x21F0AAAD)) & mask
    h = ((h ^ (h >> np.uint64(15))) * np.uint64(0x735A2D97)) & mask
    return h ^ (h >> np.uint64(15))


def zipf_tokens(n, vocabulary=VOCABULARY, seed=1):
    """`n` ids by Zipf's law in Mandelbrot's form, weight 1 / (rank + 2.7); the formula stands in workload.ts."""
    cumulative = np.cumsum(1.0 / (np.arange(vocabulary, dtype=np.float64) + 2.7))
    uniform = (bits(seed, np.arange(n)).astype(np.float64) + 0.5) / 2.0**32
    rank = np.minimum(np.searchsorted(cumulative, uniform * cumulative[-1], side="right"), vocabulary - 1)
    return (rank * 40503 % vocabulary).astype(np.uint32)


def noise(length, seed, scale=1.0):
    """Uniform in [-scale, scale), as f32; the formula stands in workload.ts."""
    values = (bits(seed, np.arange(length)) >> np.uint64(8)).astype(np.float64) - 2.0**23 + 0.5
    return (values / 2.0**23 * scale).astype(np.float32)


def checksum(tokens):
    """FNV-1a over the ids as little-endian u32, in hex."""
    h = 0x811C9DC5
    for byte in tokens.astype("<u4").tobytes():
        h = ((h ^ byte) * 0x01000193) & 0xFFFFFFFF
    return f"{h:08x}"


def describe(n, vocabulary=VOCABULARY):
    tokens = zipf_tokens(n, vocabulary)
    hits = np.bincount(tokens, minlength=vocabulary)
    used, most = int((hits > 0).sum()), int(hits.max())
    return {"v": vocabulary, "n": n, "checksum": checksum(tokens), "usedRows": used, "mostHits": most}


# The small case whose values the page compares: V, D, N, steps; at step k the tokens of seed k and noise of seed 100 + k.
CASE = {"v": 64, "d": 8, "n": 96, "steps": 5, "lr": 0.05}


class RowwiseAdagrad:
    """One accumulator a row: A[r] += mean_d(g^2), w -= lr * g / (sqrt(A[r]) + eps). torch.optim.Adagrad has one an element."""

    def __init__(self, torch, table, lr, eps=1e-8):
        self.torch, self.table, self.lr, self.eps = torch, table, lr, eps
        self.sums = torch.zeros(table.shape[0], dtype=table.dtype, device=table.device)

    def step(self):
        grad = self.table.grad.coalesce()
        rows, values = grad.indices()[0], grad.values()
        self.sums.index_add_(0, rows, values.square().mean(1))
        with self.torch.no_grad():
            change = values / (self.sums[rows].sqrt() + self.eps).unsqueeze(1)
            self.table.index_add_(0, rows, change, alpha=-self.lr)


def optimisers(torch, table, lr):
    """By the names that `step` has for its rules. SparseAdam adds eps before it corrects the second moment, `step` after."""
    return {
        "sgd": lambda: torch.optim.SGD([table], lr=lr),
        "adagrad": lambda: RowwiseAdagrad(torch, table, lr),
        "adam": lambda: torch.optim.SparseAdam([table], lr=lr),
    }


def step_values(torch):
    """The table of the small case after its steps by each rule, in f64 and in f32, row by row."""
    results = []
    v, d, n, lr = CASE["v"], CASE["d"], CASE["n"], CASE["lr"]
    for rule in ("sgd", "adagrad", "adam"):
        for dtype in (torch.float64, torch.float32):
            start = torch.from_numpy(noise(v * d, 7).reshape(v, d)).to(dtype)
            table = torch.nn.Parameter(start)
            optimiser = optimisers(torch, table, lr)[rule]()
            for step in range(1, CASE["steps"] + 1):
                ids = torch.from_numpy(zipf_tokens(n, v, step).astype(np.int64))
                upstream = torch.from_numpy(noise(n * d, 100 + step).reshape(n, d)).to(dtype)
                table.grad = None
                torch.nn.functional.embedding(ids, table, sparse=True).backward(upstream)
                table.grad = table.grad.coalesce()
                optimiser.step()
            values = table.detach().double().flatten().tolist()
            results.append({"rule": rule, "dtype": str(dtype).removeprefix("torch."), **CASE, "values": values})
    return results


class Clock:
    """Times calls by CUDA events, with work queued before each sample."""

    def __init__(self, torch, samples):
        self.torch, self.samples = torch, samples
        self.square = torch.randn(4_096, 4_096, device="cuda", dtype=torch.bfloat16)

    def busy(self, milliseconds):
        """Queues about this much other work."""
        for _ in range(max(1, round(milliseconds / 0.2))):
            self.torch.mm(self.square, self.square)

    def sample(self, call, repeats):
        start, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        # The launches below go into the queue while this runs.
        self.busy(2 + repeats * 0.05)
        start.record()
        for _ in range(repeats):
            call()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) * 1_000 / repeats

    def measure(self, call):
        """Median microseconds of one call by itself, and of one of many."""
        for _ in range(3):
            call()
        self.busy(500)
        single = statistics.median(self.sample(call, 1) for _ in range(self.samples))
        repeats = max(2, min(50, int(5_000 / max(single, 1))))
        return single, statistics.median(self.sample(call, repeats) for _ in range(self.samples))


def check_gradient(torch):
    """The gradient against f64, before anything is timed."""
    n, d = 4_096, 384
    ids = torch.from_numpy(zipf_tokens(n).astype(np.int64)).cuda()
    grad = torch.randn(n, d, device="cuda")
    exact = torch.zeros(VOCABULARY, d, device="cuda", dtype=torch.float64).index_add_(0, ids, grad.double())
    dense = torch.ops.aten.embedding_dense_backward(grad, ids, VOCABULARY, -1, False)
    error = (dense.double() - exact).abs().max().item()
    print(f"embedding_dense_backward, largest error against f64: {error:.2e}", flush=True)
    if error > 1e-3:
        sys.exit("torch_twin.py: wrong gradient")


def time_table(torch, shape, record, baselines):
    """Gradient and, for the Turkish vocabulary, lookup; `baselines` adds what they stand beside."""
    v, n, d = shape
    ids = torch.from_numpy(zipf_tokens(n, v).astype(np.int64)).cuda()
    grad = torch.randn(n, d, device="cuda")
    dense_backward = torch.ops.aten.embedding_dense_backward
    record("embedding_dense_backward", shape, lambda: dense_backward(grad, ids, v, -1, False))
    if v != VOCABULARY:
        return
    embedding = torch.nn.functional.embedding
    table = torch.randn(v, d, device="cuda") * 0.02
    record("embedding", shape, lambda: embedding(ids, table))
    if baselines:
        half, out = table.half(), torch.empty_like(grad)
        record("copy", shape, lambda: out.copy_(grad))
        record("embedding_f16", shape, lambda: embedding(ids, half))
        record("index_add", shape, lambda: torch.zeros_like(table).index_add_(0, ids, grad))


def time_steps(torch, shape, record):
    """One optimiser step on a gradient whose rows are summed already, as ours is."""
    v, n, d = shape
    table = torch.nn.Parameter(torch.randn(v, d, device="cuda") * 0.02)
    ids = torch.from_numpy(zipf_tokens(n, v).astype(np.int64)).cuda()
    torch.nn.functional.embedding(ids, table, sparse=True).backward(torch.randn(n, d, device="cuda"))
    table.grad = table.grad.coalesce()
    for rule, make in optimisers(torch, table, 1e-3).items():
        record(f"step {rule}", shape, make().step)
    record("step adagrad, an accumulator an element", shape, torch.optim.Adagrad([table], lr=1e-3).step)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", nargs="?")
    parser.add_argument("--only", default="targets,growth,steps")
    parser.add_argument("--tokens-only", action="store_true")
    parser.add_argument("--samples", type=int, default=40)
    options = parser.parse_args()
    only = set(options.only.split(","))
    inputs = [describe(n, v) for v, n in sorted({(v, n) for v, n, _ in TARGETS})]
    if options.tokens_only:
        for line in inputs:
            print(json.dumps(line))
        return

    import torch

    cuda = torch.cuda.is_available()
    report = {
        "device": torch.cuda.get_device_name() if cuda else "CPU, values only",
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "inputs": inputs,
        "figures": [],
        "steps": step_values(torch) if "steps" in only else [],
    }

    def write():
        if options.out:
            with open(options.out, "w", encoding="utf-8") as file:
                json.dump(report, file, indent=1)
                file.write("\n")

    def record(what, shape, call):
        v, n, d = shape
        single, repeated = clock.measure(call)
        best = min(single, repeated)
        figure = {"what": what, "v": v, "n": n, "d": d, "microseconds": best, "single": single, "repeated": repeated}
        report["figures"].append(figure)
        write()
        print(json.dumps(figure), flush=True)

    write()
    if not cuda:
        sys.exit("torch_twin.py: no CUDA device, so no times; the values of the optimisers' steps are written")
    torch.manual_seed(0)
    clock = Clock(torch, options.samples)
    check_gradient(torch)
    if "targets" in only:
        for shape in TARGETS:
            time_table(torch, shape, record, baselines=True)
            torch.cuda.empty_cache()
    if "growth" in only:
        for shape in GROWTH:
            time_table(torch, shape, record, baselines=False)
            torch.cuda.empty_cache()
    if "steps" in only:
        for shape in STEPS:
            time_steps(torch, shape, record)


if __name__ == "__main__":
    main()
