"""The benchmark's shapes, tokens and operations in PyTorch, on the same GPU: what the page's figures stand beside.

    python3 bench/torch_twin.py [OUT.json] [--tokens-only] [--samples 40]

Times are CUDA events, in microseconds, the median of `--samples`, after half a second of other work and with more work
queued before each sample, so that neither a slow clock nor the launch of a kernel is measured:
  single    two events around one call
  repeated  two events around many calls, divided
  microseconds  the smaller of the two: PyTorch at its best
`--tokens-only` needs no torch and prints the ids' checksums, which the page's report must have too (`inputs`).
"""

import argparse
import datetime
import json
import statistics
import sys

import numpy as np

VOCABULARY = 16_384
SHAPES = [(512, 384), (8_192, 384), (65_536, 384), (262_144, 384), (65_536, 768)]
GROWTH = [16_384, 32_768, 131_072, 524_288, 1_048_576]


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


def checksum(tokens):
    """FNV-1a over the ids as little-endian u32, in hex."""
    h = 0x811C9DC5
    for byte in tokens.astype("<u4").tobytes():
        h = ((h ^ byte) * 0x01000193) & 0xFFFFFFFF
    return f"{h:08x}"


def describe(n):
    tokens = zipf_tokens(n)
    hits = np.bincount(tokens, minlength=VOCABULARY)
    return {"n": n, "checksum": checksum(tokens), "usedRows": int((hits > 0).sum()), "mostHits": int(hits.max())}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", nargs="?")
    parser.add_argument("--tokens-only", action="store_true")
    parser.add_argument("--samples", type=int, default=40)
    options = parser.parse_args()
    lengths = sorted({n for n, _ in SHAPES} | {4_096})
    if options.tokens_only:
        for n in lengths:
            print(json.dumps(describe(n)))
        return

    import torch
    import torch.nn.functional as F

    if not torch.cuda.is_available():
        sys.exit("torch_twin.py: no CUDA device; --tokens-only needs none")
    aten = torch.ops.aten
    device = torch.device("cuda")
    torch.manual_seed(0)
    square = torch.randn(4_096, 4_096, device=device, dtype=torch.bfloat16)

    def busy(milliseconds):
        """Queues about this much other work."""
        for _ in range(max(1, round(milliseconds / 0.2))):
            torch.mm(square, square)

    def events(call, repeats):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        # The launches below go into the queue while this runs.
        busy(2 + repeats * 0.05)
        start.record()
        for _ in range(repeats):
            call()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) * 1_000 / repeats

    def measure(call):
        for _ in range(3):
            call()
        busy(500)
        single = [events(call, 1) for _ in range(options.samples)]
        repeats = max(2, min(50, int(5_000 / max(statistics.median(single), 1))))
        repeated = [events(call, repeats) for _ in range(options.samples)]
        return statistics.median(single), statistics.median(repeated)

    figures = []

    def record(what, n, d, call):
        single, repeated = measure(call)
        figure = {"what": what, "n": n, "d": d, "microseconds": min(single, repeated), "single": single, "repeated": repeated}
        figures.append(figure)
        print(json.dumps(figure), flush=True)

    def check():
        """The gradient against f64, before anything is timed."""
        n, d = 4_096, 384
        ids = torch.from_numpy(zipf_tokens(n).astype(np.int64)).to(device)
        grad = torch.randn(n, d, device=device)
        exact = torch.zeros(VOCABULARY, d, device=device, dtype=torch.float64).index_add_(0, ids, grad.double())
        error = (aten.embedding_dense_backward(grad, ids, VOCABULARY, -1, False).double() - exact).abs().max().item()
        print(f"embedding_dense_backward, largest error against f64: {error:.2e}", flush=True)
        if error > 1e-3:
            sys.exit("torch_twin.py: wrong gradient")

    check()
    for n, d in SHAPES + [(n, 384) for n in GROWTH]:
        ids = torch.from_numpy(zipf_tokens(n).astype(np.int64)).to(device)
        table = torch.randn(VOCABULARY, d, device=device) * 0.02
        half = table.half()
        grad = torch.randn(n, d, device=device)
        out = torch.empty_like(grad)
        record("copy", n, d, lambda: out.copy_(grad))
        record("embedding", n, d, lambda: F.embedding(ids, table))
        record("embedding_dense_backward", n, d, lambda: aten.embedding_dense_backward(grad, ids, VOCABULARY, -1, False))
        if (n, d) in SHAPES:
            record("embedding_f16", n, d, lambda: F.embedding(ids, half))
            record("embedding_f16_to_f32", n, d, lambda: F.embedding(ids, half).float())
            record("index_add", n, d, lambda: torch.zeros_like(table).index_add_(0, ids, grad))
        del ids, table, half, grad, out
        torch.cuda.empty_cache()

    report = {
        "device": torch.cuda.get_device_name(device),
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "inputs": [describe(n) for n in lengths],
        "figures": figures,
    }
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
