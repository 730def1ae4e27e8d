"""SentencePiece's and tokenizers' Python packages on the benchmark's Turkish text: MB/s, one thread.

    python3 bench/tokenizer_twin.py        (pip install sentencepiece)

The text is that of text.ts: the sentences of data/encodings.jsonl in random order until there are enough bytes. One call
encodes the whole text; the median of the samples counts.
"""

import json
import pathlib
import statistics
import time

import sentencepiece

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"


def bits(seed, i):
    """32 pseudo-random bits for position `i`; the formula stands in workload.ts."""
    h = (seed + i * 0x9E3779B9) & 0xFFFFFFFF
    h = ((h ^ (h >> 16)) * 0x21F0AAAD) & 0xFFFFFFFF
    h = ((h ^ (h >> 15)) * 0x735A2D97) & 0xFFFFFFFF
    return h ^ (h >> 15)


def turkish(size):
    lines = [json.loads(line)["text"] for line in (DATA / "encodings.jsonl").read_text("utf-8").splitlines()]
    chosen, total, i = [], 0, 0
    while total < size:
        line = lines[bits(3, i) % len(lines)]
        chosen.append(line)
        total += len(line.encode()) + 1
        i += 1
    return "\n".join(chosen)


def main():
    processor = sentencepiece.SentencePieceProcessor(model_file=str(DATA / "turkish-16k.model"))
    for name, size in (("100 KB", 100_000), ("1 MB", 1_000_000)):
        text = turkish(size)
        size = len(text.encode())
        samples = []
        for _ in range(11):
            start = time.perf_counter()
            ids = processor.encode(text)
            samples.append(time.perf_counter() - start)
        seconds = statistics.median(samples)
        figure = {
            "by": f"SentencePiece {sentencepiece.__version__} (Python)",
            "what": f"{name}, {len(ids)} tokens",
            "milliseconds": seconds * 1_000,
            "MB/s": size / 1e6 / seconds,
        }
        print(json.dumps(figure, ensure_ascii=False))


if __name__ == "__main__":
    main()
