//! The tokenizer natively, one thread: a line of JSON a text, as `tokenizer_twin.py` prints. `bench/tokenizer.mjs` runs both.
//!
//! `cargo run --release --example tokenizer_speed [MODEL]` from the project's root. The text is the sentences of
//! `data/encodings.jsonl` again and again; "all different" gives every word letters of its own, so that nothing that
//! was cut before comes again.

#[path = "../tests/common/lines.rs"]
mod lines;
#[path = "../tests/common/random.rs"]
mod random;

use std::error::Error;
use std::fs;
use std::time::Instant;

use gomme::tokenizer::Tokenizer;

const RUNS: usize = 11;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "data/turkish-16k.model".to_owned());
    let tokenizer = Tokenizer::from_model(&fs::read(&path)?)?;
    let lines = lines::read(&fs::read_to_string("data/encodings.jsonl")?);
    let sentences: Vec<&str> = lines.iter().map(|line| line.text("text")).collect();
    let joined = sentences.join("\n");
    let prose = |bytes: usize| cut(&joined.repeat(bytes / joined.len() + 1), bytes).to_owned();
    measure("one sentence a call", &tokenizer, &sentences);
    measure("100 KB", &tokenizer, &[&prose(100_000)]);
    measure("1 MB", &tokenizer, &[&prose(1_000_000)]);
    measure("1 MB, all different", &tokenizer, &[&all_different(1_000_000)]);
    // Texts without word boundaries, where a slow way of merging shows.
    measure("1 MB, no space", &tokenizer, &[cut(&prose(1_200_000).replace([' ', '\n'], ""), 1_000_000)]);
    measure("1 MB, one letter", &tokenizer, &[&"a".repeat(1_000_000)]);
    Ok(())
}

/// Median of several runs, each over all texts.
fn measure(what: &str, tokenizer: &Tokenizer, texts: &[&str]) {
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    let mut tokens = 0;
    let mut seconds: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            tokens = texts.iter().map(|text| tokenizer.encode(text).ids.len()).sum();
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    let median = seconds[RUNS / 2];
    println!(
        r#"{{"by": "gomme, native", "what": "{what}", "tokens": {tokens}, "milliseconds": {:.3}, "MB/s": {:.3}}}"#,
        median * 1e3,
        bytes as f64 / 1e6 / median
    );
}

fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// Words of letters drawn at random.
fn all_different(bytes: usize) -> String {
    let letters: Vec<char> = "aeıiouöünrlkdtsmybşzgçhğvcpfj".chars().collect();
    let mut random = random::Random::new(1);
    let mut text = String::with_capacity(bytes + 16);
    while text.len() < bytes {
        for _ in 0..4 + random.below(8) {
            text.push(random.pick(&letters));
        }
        text.push(' ');
    }
    text
}
