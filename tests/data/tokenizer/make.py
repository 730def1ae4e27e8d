"""Makes the small models and reference encodings in this folder with the reference SentencePiece.

    pip install sentencepiece==0.2.3 && python make.py

The models learn from the sentences of data/encodings.jsonl (turkish-treebanks 1.0.0, Apache-2.0). Each `NAME.jsonl`
has lines `{text, ids, decoded}`: what the reference makes of a text with `NAME.model`, and the text of those ids.
`turkish-16k.jsonl` is the same for data/turkish-16k.model.
"""

import json
import os
import random
import unicodedata

import sentencepiece as spm
from sentencepiece import sentencepiece_model_pb2 as pb

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "..", "..", "data")
with open(os.path.join(DATA, "encodings.jsonl"), encoding="utf-8") as lines:
    SENTENCES = [json.loads(line)["text"] for line in lines]

# Combining marks, deletions, growth, spaces, two keys of which one starts the other.
RULES = """41 300\tC0
65 301\tE9
49 307\t130
2019\t27
200B\t
9\t20
A\t20
D\t20
A0\t20
3000\t20 20
FB01\t66 69
2026\t2E 2E 2E
2026 2026\t20 2E 20
"""
# The way back, for decoding.
BACK = "27\t2019\n2E 2E 2E\t2026\n"

SNIPPETS = [
    "’", "\u200b", "\u200d", "\ufeff", "  ", "\t", "\r\n", "\n", "\U0001f600", "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "İ", "I\u0307", "i\u0307", "a\u0300\u0323", "▁", "▁▁", "…", "……", "ﬁ", "\u3000", "<s>", "</s>", "<unk>", "<0x41>",
    "<sep>", "<cls>", "kedi", "日本語", "Привет", "العربية", "\x00", "\x01", "\u00a0", "ｋｅｄｉ", "\u0301", "\ufffd",
    "\U0001d50a", "e\u0301", "¨", "5", "2024", "...", "aaaaaaaaaaaaaaaa", "şşşşşş", "xqxqxq", "\u2028", "▁mavi", "½",
]

TEXTS = [
    "", " ", "   ", "\t", "\u200b", "\u200b ", " \u200b", "▁", "▁ ▁", "kedi", " kedi ", "kedi▁", "▁kedi", "kedi  köpek",
    "kedi\tköpek\r\nkuş\n", "İstanbul'da", "İstanbul’da", "I\u0307stanbul", unicodedata.normalize("NFD", "Çağ dışı köpüğü"),
    "\U0001f600", "a\U0001f600b", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "ke\u200bdi", "2024", "kedi…", "……",
    "kedi…… köpek", "<s>kedi</s>", "<unk>", "<0x41>", "a<sep>b", "日本語 Привет العربية kedi", "\ufeffkedi", "ﬁkir",
    "kedi\u3000köpek", "a" * 300, "kedi" * 60, "ş" * 100, "\x00", "a\x00b", "\ufffd\ufffd", "é e\u0301 é\u0301",
    "Çekoslovakyalılaştıramadıklarımızdanmışsınız", "kedi ve köpek bahçede, kedi uyuyor", "▁mavi mavi  mavi",
    "\U0001d50a\U0001d51e kedi", "½ ² ﬃ ㌖ ﷺ", "kedi\u00a0köpek", "...... ... .", "IŞIK ışık ISLAK İSLAK",
]


def noisy(random_):
    text = random_.choice(SENTENCES)[:60]
    for _ in range(random_.randint(1, 5)):
        at = random_.randint(0, len(text))
        kind = random_.randint(0, 9)
        if kind < 6:
            text = text[:at] + random_.choice(SNIPPETS) + text[at:]
        elif kind == 6:
            text = unicodedata.normalize("NFD", text)
        elif kind == 7:
            text = text.upper()
        elif kind == 8:
            text = text.replace(" ", "")
        else:
            text = "  " + text + " \t"
    return text


def train(name, rules, size, back="", **options):
    for path, content in (("rules.tsv", rules), ("back.tsv", back)):
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
    if back:
        options["denormalization_rule_tsv"] = "back.tsv"
    if rules:
        options["normalization_rule_tsv"] = "rules.tsv"
    else:
        options["normalization_rule_name"] = "identity"
    spm.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES), model_prefix=name, vocab_size=size, num_threads=1, minloglevel=2, **options
    )
    for path in ("rules.tsv", "back.tsv", name + ".vocab"):
        os.remove(path)


def edit(source, name, change):
    """A model that the trainer does not make, but the reference reads."""
    model = pb.ModelProto()
    with open(source + ".model", "rb") as file:
        model.ParseFromString(file.read())
    change(model)
    with open(name + ".model", "wb") as file:
        file.write(model.SerializeToString())


def some_unused(model):
    random_ = random.Random(4)
    for piece in model.pieces:
        if piece.type == 1 and random_.random() < 0.35:
            piece.type = 5


def keep_spaces(model):
    model.normalizer_spec.remove_extra_whitespaces = False
    for count in range(2, 9):
        model.pieces.add(piece="▁" * count, score=-1000 - count)


def own_unknown(model):
    model.trainer_spec.unk_surface = "?!"
    model.normalizer_spec.escape_whitespaces = False


def encode(model_path, name):
    model = spm.SentencePieceProcessor(model_file=model_path)
    random_ = random.Random(7)
    with open(name + ".jsonl", "w", encoding="utf-8") as out:
        for text in TEXTS + [noisy(random_) for _ in range(60)]:
            ids = model.encode(text)
            line = {"text": text, "ids": ids, "decoded": model.decode(ids)}
            out.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")


def main():
    os.chdir(HERE)
    symbols = ["<sep>", "kedi", "▁mavi"]
    train("bpe", RULES, 450, model_type="bpe", byte_fallback=True, character_coverage=0.999)
    edit("bpe", "bpe_unused", some_unused)
    edit("bpe", "bpe_spaces", keep_spaces)
    train(
        "bpe_suffix", RULES, 300, BACK, model_type="bpe", treat_whitespace_as_suffix=True, character_coverage=0.99,
        user_defined_symbols=symbols + ["  "], control_symbols=["<cls>"],
    )
    train("unigram", RULES, 450, model_type="unigram", character_coverage=0.99, user_defined_symbols=symbols)
    edit("unigram", "unigram_unescaped", own_unknown)
    train(
        "unigram_raw", "", 400, model_type="unigram", add_dummy_prefix=False, remove_extra_whitespaces=False,
        split_by_whitespace=False, character_coverage=0.99,
    )
    train("word", "", 60, model_type="word")
    train("char", "", 60, model_type="char")
    for name in ("bpe", "bpe_unused", "bpe_spaces", "bpe_suffix", "unigram", "unigram_unescaped", "unigram_raw"):
        encode(name + ".model", name)
    encode(os.path.join(DATA, "turkish-16k.model"), "turkish-16k")


main()
