"""SentencePiece's Python package on the benchmark's Turkish texts: MB/s, one thread.

    python3 bench/tokenizer_twin.py        (pip install sentencepiece)

The texts are those of text.ts and of tokenizer_speed.rs. The median of the samples counts.
"""

import json
import pathlib
import statistics
import time

import sentencepiece

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"


def prose(lines, size):
    """The sentences one after the other, again and again, cut at `size` bytes."""
    text = "\n".join(lines).encode()
    return (text * (size // len(text) + 1))[:size].decode(errors="ignore")


def all_different(size):
    """Words of letters drawn by a linear congruential generator: nothing that was cut before comes again."""
    letters = "aeıiouöünrlkdtsmybşzgçhğvcpfj"
    seed = 1

    def draw(below):
        nonlocal seed
        seed = (seed * 6_364_136_223_846_793_005 + 1) & 0xFFFF_FFFF_FFFF_FFFF
        return (seed >> 33) % below

    words, total = [], 0
    while total < size:
        length = 4 + draw(8)
        words.append("".join(letters[draw(len(letters))] for _ in range(length)))
        total += len(words[-1].encode()) + 1
    return " ".join(words) + " "


def main():
    lines = [json.loads(line)["text"] for line in (DATA / "encodings.jsonl").read_text("utf-8").splitlines()]
    processor = sentencepiece.SentencePieceProcessor(model_file=str(DATA / "turkish-16k.model"))
    texts = {
        "one sentence a call": lines,
        "100 KB": [prose(lines, 100_000)],
        "1 MB": [prose(lines, 1_000_000)],
        "1 MB, all different": [all_different(1_000_000)],
    }
    for what, calls in texts.items():
        size = sum(len(text.encode()) for text in calls)
        samples = []
        tokens = 0
        for _ in range(11):
            start = time.perf_counter()
            tokens = sum(len(processor.encode(text)) for text in calls)
            samples.append(time.perf_counter() - start)
        seconds = statistics.median(samples)
        figure = {
            "by": f"SentencePiece {sentencepiece.__version__} (Python)",
            "what": what,
            "tokens": tokens,
            "milliseconds": round(seconds * 1_000, 3),
            "MB/s": round(size / 1e6 / seconds, 3),
        }
        print(json.dumps(figure, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
