//! Megabytes of text that the tokenizer reads in a second, on one core.
//!
//! `cargo run --release --example tokenizer_speed [model]` from the project's root. The text is the sentences of
//! `data/encodings.jsonl` again and again; "all different" gives every word letters of its own, so that nothing that
//! was cut before comes again.

#[path = "../tests/common/lines.rs"]
mod lines;

use std::error::Error;
use std::fs;
use std::time::Instant;

use gomme::tokenizer::Tokenizer;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "data/turkish-16k.model".to_owned());
    let model = fs::read(&path)?;
    let start = Instant::now();
    let tokenizer = Tokenizer::from_model(&model)?;
    println!("{path}: loaded in {:.1} ms", start.elapsed().as_secs_f64() * 1e3);

    let lines = lines::read(&fs::read_to_string("data/encodings.jsonl")?);
    let sentences: Vec<&str> = lines.iter().map(|line| line.text("text")).collect();
    let sentences = sentences.join("\n");
    let prose = |bytes: usize| sentences.repeat(bytes / sentences.len() + 1);
    measure("one sentence a call", &tokenizer, &lines.iter().map(|line| line.text("text")).collect::<Vec<_>>());
    measure("100 KB", &tokenizer, &[cut(&prose(100_000), 100_000)]);
    measure("5 MB", &tokenizer, &[cut(&prose(5_000_000), 5_000_000)]);
    measure("5 MB, all different", &tokenizer, &[&all_different(5_000_000)]);
    measure("5 MB, no space", &tokenizer, &[cut(&prose(6_000_000).replace([' ', '\n'], ""), 5_000_000)]);
    measure("5 MB, one letter", &tokenizer, &["a".repeat(5_000_000).as_str()]);
    Ok(())
}

/// Best of several runs, each over all texts.
fn measure(what: &str, tokenizer: &Tokenizer, texts: &[&str]) {
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    let runs = (20_000_000 / bytes).clamp(3, 200);
    let mut best = f64::INFINITY;
    let mut tokens = 0;
    for _ in 0..runs {
        let start = Instant::now();
        tokens = texts.iter().map(|text| tokenizer.encode(text).ids.len()).sum();
        best = best.min(start.elapsed().as_secs_f64());
    }
    let rate = bytes as f64 / 1e6 / best;
    println!("{what:>22}: {rate:6.1} MB/s, {:8.2} ms, {bytes} bytes, {tokens} tokens", best * 1e3);
}

fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// Words of letters drawn by a small linear congruential generator.
fn all_different(bytes: usize) -> String {
    let letters: Vec<char> = "aeıiouöünrlkdtsmybşzgçhğvcpfj".chars().collect();
    let mut seed = 1u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    let mut text = String::with_capacity(bytes + 16);
    while text.len() < bytes {
        for _ in 0..4 + next(8) {
            text.push(letters[next(letters.len())]);
        }
        text.push(' ');
    }
    text
}
