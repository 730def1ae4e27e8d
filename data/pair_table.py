"""The pairs of neighbouring words that the page trains on, as a small file.

Skip-gram with a window of one word sees nothing of a text but how often each word stands beside each other one. A bigram
model says just that, so a table of its strongest pairs takes the place of a text. Kept are words that are one piece of the
tokenizer, so that a word's id is its row: the most frequent ones, those of the lesson, and those most tied to these. Of
each word's pairs only the strongest on either side are kept: by a cut over all pairs, `kedi` would have no neighbours left.

The file, little endian; a varint has 7 bits a byte, the lowest first:

    u32              W, words
    u32              P, pairs
    varint x W       ids of the words' pieces, ascending, each as its distance from the one before
    u8 x W           frequency of the word: 2^(level / 8), in any unit
    varint x P       pairs, ascending by left * W + right (indices of words), each as its distance from the one before
    u8 x P           weight of the pair after subsampling: 2^(level / 2), in any unit
"""

import re
import struct

import numpy as np

CANDIDATES = 4_000  # the most frequent words, among which pairs are looked for
FREQUENT = 1_500  # of these, kept for their frequency
TIED = 500  # and for their pairs with the words of the lesson
QUOTA = 38  # pairs a word keeps on either side, at least
SUBSAMPLING = 1e-5  # word2vec's t: a word of frequency f is kept with probability sqrt(t / f)
LESSON = """
    kedi köpek kuş at koyun balık aslan anne baba kardeş çocuk kitap gazete okul üniversite araba otobüs tren ekmek süt
    ankara istanbul izmir doktor öğretmen kırmızı mavi yeşil sarı siyah beyaz pazartesi salı çarşamba ocak şubat mart iki
    üç dört beş
""".split()

PLAIN = re.compile(r"[a-zçğıöşüâîû]+")


def candidates(model, first):
    """Ids in the language model of the most frequent plain words from `first` on."""
    order = np.argsort(-model.log10, kind="stable")
    plain = [word for word in order if word >= first and PLAIN.fullmatch(model.words[word])]
    return np.array(plain[:CANDIDATES])


def pair_table(names, pieces, bigrams, log10):
    """The file's bytes. For each candidate word its name, the id of its piece (-1: it is not one piece) and its log10
    probability; `bigrams` is the sparse matrix of log10 P(column | row) among them."""
    size = len(names)
    left, right = bigrams.row, bigrams.col
    joint = 10.0 ** (log10[left] + bigrams.data)
    joint /= joint.sum()
    frequency = (np.bincount(left, joint, size) + np.bincount(right, joint, size)) / 2
    keep = np.minimum(1, np.sqrt(SUBSAMPLING / np.maximum(frequency, 1e-30)))
    weight = joint * keep[left] * keep[right]

    chosen = choose(names, pieces, left, right, weight)
    both = chosen[left] & chosen[right]
    left, right, weight = left[both], right[both], weight[both]
    strong = strongest(left, weight) | strongest(right, weight)
    left, right, weight = left[strong], right[strong], weight[strong]

    words = np.flatnonzero(chosen)
    words = words[np.argsort(pieces[words], kind="stable")]
    index = np.full(size, -1)
    index[words] = np.arange(len(words))
    left, right = index[left], index[right]
    order = np.lexsort((right, left))
    keys = left[order].astype(np.int64) * len(words) + right[order]
    print(f"pairs: {len(keys):,} of {len(words):,} words")
    return b"".join(
        [
            struct.pack("<II", len(words), len(keys)),
            varints(np.diff(pieces[words], prepend=0)),
            levels(frequency[words], 8),
            varints(np.diff(keys, prepend=0)),
            levels(weight[order], 2),
        ]
    )


def choose(names, pieces, left, right, weight):
    """Which candidates stay, as a mask; those of the lesson must."""
    size = len(names)
    whole = pieces >= 0
    row_of = {name: row for row, name in enumerate(names)}
    lesson = np.array([row_of[name] for name in LESSON])
    assert whole[lesson].all(), "a word of the lesson is more than one piece"
    chosen = np.zeros(size, bool)
    chosen[np.flatnonzero(whole)[:FREQUENT]] = True
    chosen[lesson] = True
    tie = np.bincount(left, weight * np.isin(right, lesson), size) + np.bincount(right, weight * np.isin(left, lesson), size)
    tie[chosen | ~whole] = -1
    chosen[np.argsort(-tie, kind="stable")[:TIED]] = True
    # Two words must not share a row.
    assert len(np.unique(pieces[chosen])) == chosen.sum()
    return chosen


def strongest(words, weight):
    """Mask of each word's QUOTA heaviest pairs."""
    order = np.lexsort((-weight, words))
    grouped = words[order]
    first = np.r_[0, np.flatnonzero(np.diff(grouped)) + 1]
    rank = np.arange(len(grouped)) - np.repeat(first, np.diff(np.r_[first, len(grouped)]))
    mask = np.zeros(len(words), bool)
    mask[order[rank < QUOTA]] = True
    return mask


def levels(values, per_octave):
    """One byte a value: how many steps it lies above the least one, on a scale of `per_octave` steps to a doubling."""
    octaves = np.log2(values) - np.log2(values.min())
    level = np.round(octaves * per_octave)
    assert level.max() < 256
    return level.astype(np.uint8).tobytes()


def varints(numbers):
    out = bytearray()
    for number in numbers.tolist():
        while number >= 128:
            out.append(number & 127 | 128)
            number >>= 7
        out.append(number)
    return bytes(out)
