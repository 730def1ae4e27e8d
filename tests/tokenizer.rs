//! The tokenizer against the reference implementation, its spans, and what it does with input nobody meant well.
#![cfg(not(target_arch = "wasm32"))]

#[path = "common/lines.rs"]
mod lines;
#[path = "common/random.rs"]
mod random;

use std::fs;

use gomme::error::Error;
use gomme::tokenizer::{Encoding, Tokenizer};
use random::Random;

const FIXTURES: &str = "tests/data/tokenizer";

fn model_bytes(name: &str) -> Vec<u8> {
    let folder = if name == "turkish-16k" { "data" } else { FIXTURES };
    fs::read(format!("{folder}/{name}.model")).unwrap()
}

fn model(name: &str) -> Tokenizer {
    Tokenizer::from_model(&model_bytes(name)).unwrap()
}

fn turkish() -> Tokenizer {
    model("turkish-16k")
}

fn pieces<'a>(tokenizer: &'a Tokenizer, encoding: &Encoding) -> Vec<&'a str> {
    encoding.ids.iter().map(|id| tokenizer.piece(*id).unwrap()).collect()
}

/// Each token as `piece start..end`, which reads well in a failure.
fn shown(tokenizer: &Tokenizer, text: &str) -> Vec<String> {
    let encoding = tokenizer.encode(text);
    assert_eq!(encoding.spans.len(), 2 * encoding.ids.len());
    let spans = encoding.spans.chunks(2).map(|span| format!("{}..{}", span[0], span[1]));
    pieces(tokenizer, &encoding).iter().zip(spans).map(|(piece, span)| format!("{piece} {span}")).collect()
}

fn utf16_slice(text: &str, start: u32, end: u32) -> String {
    let units: Vec<u16> = text.encode_utf16().skip(start as usize).take((end - start) as usize).collect();
    String::from_utf16(&units).unwrap_or_else(|_| panic!("{start}..{end} cuts a character of {text:?}"))
}

const SNIPPETS: [&str; 48] = [
    "kedi",
    " ",
    " ",
    " ",
    "köpek",
    "İSTANBUL",
    "’",
    "'",
    "\t",
    "\r\n",
    "  ",
    "\u{200b}",
    "\u{200d}",
    "\u{feff}",
    "😀",
    "👨‍👩‍👧",
    "I\u{307}",
    "i\u{307}",
    "o\u{308}",
    "c\u{327}",
    "s\u{327}",
    "a\u{300}\u{323}",
    "▁",
    "…",
    "ﬁ",
    "\u{3000}",
    "<s>",
    "<unk>",
    "<0x41>",
    "<sep>",
    "日本語",
    "Привет",
    "العربية",
    "\u{0}",
    "\u{1}",
    "\u{a0}",
    "\u{fffd}",
    "𝔊",
    "¨",
    "2024",
    "-",
    ",",
    ".",
    "ğ",
    "ı",
    "aaaaaaaaaaaaaaaaaaaaaaaa",
    "xq",
    "\u{2028}",
];

fn random_text(random: &mut Random) -> String {
    (0..1 + random.below(30)).map(|_| random.pick(&SNIPPETS)).collect()
}

const MODELS: [&str; 8] =
    ["turkish-16k", "bpe", "bpe_unused", "bpe_spaces", "bpe_suffix", "unigram", "unigram_unescaped", "unigram_raw"];

// Ids.

#[test]
fn every_reference_encoding() {
    let tokenizer = turkish();
    let lines = lines::read(&fs::read_to_string("data/encodings.jsonl").unwrap());
    assert_eq!(lines.len(), 587);
    for line in &lines {
        let text = line.text("text");
        let encoding = tokenizer.encode(text);
        assert_eq!(encoding.ids, line.numbers("ids"), "{text:?}");
        assert_eq!(pieces(&tokenizer, &encoding), line.texts("pieces"), "{text:?}");
    }
}

#[test]
fn noisy_text_and_other_kinds_of_model_as_the_reference() {
    for name in MODELS {
        let tokenizer = model(name);
        let lines = lines::read(&fs::read_to_string(format!("{FIXTURES}/{name}.jsonl")).unwrap());
        assert!(lines.len() > 100);
        for line in &lines {
            let text = line.text("text");
            assert_eq!(tokenizer.encode(text).ids, line.numbers("ids"), "{name}: {text:?}");
            assert_eq!(tokenizer.decode(&line.numbers("ids")).unwrap(), line.text("decoded"), "{name}: {text:?}");
        }
    }
}

#[test]
fn facts_of_the_turkish_vocabulary() {
    let tokenizer = turkish();
    assert_eq!(tokenizer.vocab_size(), 16_384);
    for (piece, id) in
        [("▁kedi", 6754), ("▁köpek", 6283), ("▁kamyon", 4686), ("▁ve", 321), ("<unk>", 0), ("<0xFF>", 258)]
    {
        assert_eq!(tokenizer.piece(id).unwrap(), piece);
    }
    // By the definition in the API, with another SHA-256.
    assert_eq!(tokenizer.fingerprint(), "d462e8c92730075ea21a48bc21bc3df243e84b9dc016dc6285873268554303f0");
}

#[test]
fn a_text_is_the_sum_of_its_words() {
    // Stretches are cut on their own and remembered: neither may show.
    let tokenizer = turkish();
    let lines = lines::read(&fs::read_to_string("data/encodings.jsonl").unwrap());
    let joined: Vec<&str> = lines.iter().map(|line| line.text("text")).collect();
    let ids: Vec<u32> = lines.iter().flat_map(|line| line.numbers("ids")).collect();
    assert_eq!(tokenizer.encode(&joined.join(" ")).ids, ids);
    assert_eq!(tokenizer.encode(&joined.join("\n")).ids, ids);
}

// Spans.

#[test]
fn spans_leave_out_the_space() {
    assert_eq!(shown(&turkish(), "kedi ve köpek"), ["▁kedi 0..4", "▁ve 5..7", "▁köpek 8..13"]);
    assert_eq!(shown(&turkish(), "İstanbul'da"), ["▁İstanbul 0..8", "' 8..9", "da 9..11"]);
    assert_eq!(shown(&turkish(), "Kedi"), ["▁Ke 0..2", "di 2..4"]);
}

#[test]
fn spaces_of_all_kinds() {
    let tokenizer = turkish();
    let expected = ["▁kedi 2..6", "▁ve 9..11"];
    for text in ["  kedi   ve", "  kedi   ve  ", "\t\tkedi \t ve\r\n", "\u{a0} kedi\u{2003} \u{3000}ve\n"] {
        assert_eq!(shown(&tokenizer, text), expected, "{text:?}");
    }
    for text in ["", " ", "\t\r\n", "   "] {
        assert_eq!(tokenizer.encode(text), Encoding::default(), "{text:?}");
    }
}

#[test]
fn a_bare_space_piece_is_empty_at_the_next_character() {
    assert_eq!(shown(&turkish(), "14"), ["▁ 0..0", "1 0..1", "4 1..2"]);
    assert_eq!(shown(&turkish(), "a   2"), ["▁a 0..1", "▁ 4..4", "2 4..5"]);
    // A model that keeps spaces: several wait for one character, or for the end.
    assert_eq!(shown(&model("unigram_raw"), "e  e "), ["e 0..1", "▁ 3..3", "▁ 3..3", "e 3..4", "▁ 5..5"]);
    assert_eq!(shown(&model("unigram_raw"), " "), ["▁ 1..1"]);
    // The space stands after the word.
    assert_eq!(shown(&model("bpe_suffix"), " 2 "), ["2 1..2", "▁ 3..3"]);
}

#[test]
fn byte_pieces_share_the_span_of_their_character() {
    let emoji = ["▁ 1..1", "<0xF0> 1..3", "<0x9F> 1..3", "<0x98> 1..3", "<0x80> 1..3", "▁a 4..5"];
    assert_eq!(shown(&turkish(), " 😀 a"), emoji);
    // U+FFFD, as a lone surrogate arrives here, is one unit long.
    let lone =
        ["▁a 0..1", "<0xEF> 1..2", "<0xBF> 1..2", "<0xBD> 1..2", "<0xEF> 2..3", "<0xBF> 2..3", "<0xBD> 2..3", "b 3..4"];
    assert_eq!(shown(&turkish(), "a\u{fffd}\u{fffd}b"), lone);
}

#[test]
fn merged_characters_share_their_union() {
    // NFD: ö is o and U+0308, ç is c and U+0327.
    assert_eq!(shown(&turkish(), "ko\u{308}pek ve"), ["▁köpek 0..6", "▁ve 7..9"]);
    assert_eq!(shown(&turkish(), "I\u{307}stanbul"), ["▁İstanbul 0..9"]);
    let split = shown(&turkish(), "c\u{327}2");
    assert_eq!(split, ["▁ç 0..2", "2 2..3"]);
    // One character that becomes several, in tokens that all have its span; and two that become one.
    let tokenizer = model("bpe");
    assert_eq!(shown(&tokenizer, "ﬁ"), ["▁ 0..0", "f 0..1", "i 0..1"]);
    assert_eq!(shown(&tokenizer, "ﬁz"), ["▁ 0..0", "f 0..1", "iz 0..2"]);
    assert_eq!(shown(&tokenizer, "e…e"), ["▁ 0..0", "e 0..1", ". 1..2", ". 1..2", ". 1..2", "e 2..3"]);
    assert_eq!(shown(&tokenizer, "……e"), ["▁ 0..0", ". 0..2", "▁ 2..2", "e 2..3"]);
}

#[test]
fn changed_and_deleted_characters() {
    let tokenizer = turkish();
    assert_eq!(shown(&tokenizer, "İstanbul’da"), ["▁İstanbul 0..8", "' 8..9", "da 9..11"]);
    // Deleted inside a token: part of it. Deleted at its edge: part of none.
    assert_eq!(shown(&tokenizer, "ke\u{200b}di ve"), ["▁kedi 0..5", "▁ve 6..8"]);
    assert_eq!(shown(&tokenizer, "\u{feff}kedi\u{200b} \u{200b}ve\u{200b}"), ["▁kedi 1..5", "▁ve 8..10"]);
}

#[test]
fn a_typed_space_symbol_is_a_character() {
    assert_eq!(shown(&turkish(), "▁kedi"), ["▁ 0..0", "▁kedi 0..5"]);
}

#[test]
fn unknown_characters_join() {
    assert_eq!(
        shown(&model("unigram"), "a日本 語b"),
        ["▁ 0..0", "a 0..1", "<unk> 1..3", "▁ 4..4", "<unk> 4..5", "b 5..6"]
    );
}

#[test]
fn spans_hold_what_the_pieces_say() {
    let tokenizer = turkish();
    let mut compared = 0;
    for line in &lines::read(&fs::read_to_string("data/encodings.jsonl").unwrap()) {
        let text = line.text("text");
        let encoding = tokenizer.encode(text);
        let plain = text.replace(['’', '‘'], "'");
        if tokenizer.decode(&encoding.ids).unwrap() != plain {
            continue; // rewritten in other ways, which have their own tests
        }
        for (piece, span) in pieces(&tokenizer, &encoding).iter().zip(encoding.spans.chunks(2)) {
            if !piece.starts_with("<0x") {
                assert_eq!(utf16_slice(&plain, span[0], span[1]), piece.replace('▁', ""), "{text:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 10_000);
}

#[test]
fn spans_of_random_text_are_in_order_and_cover_it() {
    let mut random = Random::new(1);
    for name in MODELS {
        let tokenizer = model(name);
        for _ in 0..300 {
            let text = random_text(&mut random);
            let units = text.encode_utf16().count();
            let encoding = tokenizer.encode(&text);
            assert_eq!(encoding.spans.len(), 2 * encoding.ids.len());
            let mut covered = vec![false; units];
            let mut before = (0, 0);
            for span in encoding.spans.chunks(2) {
                let (start, end) = (span[0], span[1]);
                assert!(
                    before.0 <= start && before.1 <= end && start <= end && end as usize <= units,
                    "{name}: {text:?}"
                );
                utf16_slice(&text, start, end);
                covered[start as usize..end as usize].fill(true);
                before = (start, end);
            }
            let mut unit = 0;
            for character in text.chars() {
                // Space, or deleted by the model's rules: nothing of it is left.
                let alone = tokenizer.encode(&character.to_string());
                let seen = alone.spans.chunks(2).any(|span| span[0] < span[1]);
                // The reference drops a typed ▁ at the end with the spaces, and so do the spans.
                if seen && character != '▁' {
                    assert!(covered[unit], "{name}: {character:?} at {unit} of {text:?} is in no span");
                }
                unit += character.len_utf16();
            }
        }
    }
}

// Decoding.

#[test]
fn decode_gives_the_normalised_text_back() {
    let tokenizer = turkish();
    for text in ["kedi ve köpek bahçede, kedi uyuyor", "İstanbul'da 2024", "😀 日本語", "IŞIK ışık", "a\u{fffd}b"]
    {
        assert_eq!(tokenizer.decode(&tokenizer.encode(text).ids).unwrap(), text);
    }
    assert_eq!(tokenizer.decode(&tokenizer.encode("  ko\u{308}pek’in \t ").ids).unwrap(), "köpek'in");
    for line in &lines::read(&fs::read_to_string("data/encodings.jsonl").unwrap()) {
        let once = tokenizer.decode(&line.numbers("ids")).unwrap();
        // A typed ▁ comes back as a space.
        if !line.text("text").contains('▁') {
            assert_eq!(tokenizer.encode(&once).ids, line.numbers("ids"), "{once:?}");
        }
    }
}

#[test]
fn decode_of_any_ids() {
    let tokenizer = turkish();
    assert_eq!(tokenizer.decode(&[]).unwrap(), "");
    assert_eq!(tokenizer.decode(&[1, 6754, 2]).unwrap(), "kedi");
    assert_eq!(tokenizer.decode(&[0]).unwrap(), " \u{2047} ");
    // Bytes that are no UTF-8: one U+FFFD each.
    let byte = |byte: u32| byte + 3;
    let broken = [byte(0xF0), byte(0x9F), byte(0x41), byte(0xC3), byte(0xA7), byte(0xED), byte(0xA0), byte(0x80)];
    assert_eq!(tokenizer.decode(&broken).unwrap(), "\u{fffd}\u{fffd}Aç\u{fffd}\u{fffd}\u{fffd}");
}

#[test]
fn ids_out_of_range() {
    let tokenizer = turkish();
    for id in [16_384, u32::MAX] {
        assert!(matches!(tokenizer.piece(id), Err(Error::InvalidArgument(_))));
        let Err(Error::InvalidArgument(message)) = tokenizer.decode(&[321, id]) else { panic!("{id} was decoded") };
        assert!(message.contains(&id.to_string()) && message.contains("16383"), "{message}");
    }
}

// Bytes that are no model.

fn flaw(bytes: &[u8]) -> String {
    match Tokenizer::from_model(bytes) {
        Err(Error::InvalidModel(message)) => message,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("{} bytes were read as a model", bytes.len()),
    }
}

#[test]
fn no_model_at_all() {
    for bytes in [
        &b""[..],
        b"kedi",
        b"<!doctype html><html></html>",
        &[0; 100],
        &[0xFF; 100],
        b"\x0a\x05",
        b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    ] {
        flaw(bytes);
    }
}

#[test]
fn a_model_that_is_cut_off() {
    for (name, step) in [("bpe", 13), ("unigram_raw", 13), ("turkish-16k", 5003)] {
        let bytes = model_bytes(name);
        for len in (0..bytes.len()).step_by(step).chain(bytes.len() - 60..bytes.len()) {
            flaw(&bytes[..len]);
        }
    }
}

#[test]
fn word_and_char_models() {
    assert!(flaw(&model_bytes("word")).contains("word"));
    assert!(flaw(&model_bytes("char")).contains("char"));
}

/// A model from pieces of text, type and score 0, with these trainer fields.
fn built(pieces: &[(&[u8], u8)], trainer: &[u8], charsmap: Option<&[u8]>) -> Vec<u8> {
    fn field(number: u8, content: &[u8]) -> Vec<u8> {
        let len = content.len();
        assert!(len < 1 << 14);
        [&[number << 3 | 2, (len & 127) as u8 | 128, (len >> 7) as u8][..], content].concat()
    }
    let mut bytes = Vec::new();
    for (text, kind) in pieces {
        bytes.extend(field(1, &[&field(1, text)[..], &[3 << 3, *kind]].concat()));
    }
    bytes.extend(field(2, trainer));
    bytes.extend(field(3, &charsmap.map_or_else(Vec::new, |charsmap| field(2, charsmap))));
    bytes
}

const BPE: [u8; 2] = [3 << 3, 2];

#[test]
fn models_with_a_flaw() {
    let good: [(&[u8], u8); 3] = [(b"<unk>", 2), (b"a", 1), (b"b", 1)];
    Tokenizer::from_model(&built(&good, &BPE, None)).unwrap();
    assert!(flaw(&built(&[], &BPE, None)).contains("no pieces"));
    assert!(flaw(&built(&good[1..], &BPE, None)).contains("no unknown"));
    assert!(flaw(&built(&[good[0], (b"<u>", 2)], &BPE, None)).contains("two unknown"));
    assert!(flaw(&built(&[good[0], good[1], good[1]], &BPE, None)).contains("occurs twice"));
    assert!(flaw(&built(&[good[0], (b"", 1)], &BPE, None)).contains("empty"));
    assert!(flaw(&built(&[good[0], (b"a\0", 1)], &BPE, None)).contains("NUL"));
    assert!(flaw(&built(&[good[0], (&[b'a'; 8000], 1)], &BPE, None)).contains("too long"));
    assert!(flaw(&built(&[good[0], (b"\xC3", 1)], &BPE, None)).contains("UTF-8"));
    assert!(flaw(&built(&[good[0], (b"a", 9)], &BPE, None)).contains("unknown type"));
    assert!(flaw(&built(&[good[0], (b"<0xG0>", 6)], &BPE, None)).contains("byte piece"));
    assert!(flaw(&built(&[good[0], (b"<0x00>", 6)], &BPE, None)).contains("byte pieces"));
    assert!(flaw(&built(&good, &[3 << 3, 2, 0x98, 2, 1], None)).contains("256 byte pieces"));
    assert!(flaw(&built(&good, &[3 << 3, 7], None)).contains("type"));
    assert!(flaw(&built(&good, &BPE, Some(&[9, 0, 0, 0, 1]))).contains("rules"));
    assert!(flaw(&built(&good, &BPE, Some(&[1]))).contains("rules"));
    let long = [&[0, 0, 0, 0][..], &[b'x'; 300], &[0]].concat();
    assert!(flaw(&built(&good, &BPE, Some(&long))).contains("too long"));
}

#[test]
fn rules_that_run_in_a_circle_or_out_of_range() {
    let pieces: [(&[u8], u8); 4] = [(b"<unk>", 2), (b"a", 1), (b"aa", 1), ("▁".as_bytes(), 1)];
    // Every unit is the letter a, has a value and leads far away or back to itself.
    for offset in [0u32, 1, 97, 1 << 20] {
        let units: Vec<u8> = (0..200).flat_map(|_| (offset << 10 | 0x100 | 97).to_le_bytes()).collect();
        let charsmap = [&800u32.to_le_bytes()[..], &units, b"a\0"].concat();
        let tokenizer = Tokenizer::from_model(&built(&pieces, &BPE, Some(&charsmap))).unwrap();
        let encoding = tokenizer.encode(&"a".repeat(20_000));
        assert!(encoding.spans.iter().all(|unit| *unit <= 20_000));
    }
}

#[test]
fn models_with_changed_bytes() {
    let mut random = Random::new(2);
    let texts = ["kedi ve köpek, 2024’te!", "😀 ko\u{308}pek <sep>\t…… e", "▁▁ \u{0} aaaaaaaaaaaa"];
    for name in ["bpe", "bpe_suffix", "unigram", "unigram_raw", "bpe_unused"] {
        let bytes = model_bytes(name);
        for _ in 0..150 {
            let mut changed = bytes.clone();
            for _ in 0..1 + random.below(6) {
                let at = random.below(changed.len() as u32) as usize;
                changed[at] = random.below(256) as u8;
            }
            let Ok(tokenizer) = Tokenizer::from_model(&changed) else { continue };
            for text in texts {
                let encoding = tokenizer.encode(text);
                let units = text.encode_utf16().count() as u32;
                assert!(encoding.spans.iter().all(|unit| *unit <= units));
                tokenizer.decode(&encoding.ids).unwrap();
            }
        }
    }
}

// Long texts. Work that grew as the square of the length would not end.

#[test]
fn five_megabytes() {
    let tokenizer = turkish();
    let line = "kedi ve köpek bahçede, kedi uyuyor ";
    let lines = 5_000_000 / line.len();
    let ids = tokenizer.encode(line).ids;
    let encoding = tokenizer.encode(&line.repeat(lines));
    assert_eq!(encoding.ids.len(), lines * ids.len());
    assert_eq!(encoding.ids[encoding.ids.len() - ids.len()..], ids);
    assert_eq!(encoding.spans.last().copied(), Some((lines * line.chars().count()) as u32 - 1));
}

#[test]
fn one_long_word() {
    // Not longer, as tests are built without optimisation; bench/tokenizer_speed.rs takes five.
    let bpe = turkish();
    let unigram = model("unigram");
    for text in ["a".repeat(400_000), "kedi".repeat(100_000)] {
        for tokenizer in [&bpe, &unigram] {
            assert_eq!(tokenizer.encode(&text).spans.last(), Some(&400_000));
        }
    }
}
