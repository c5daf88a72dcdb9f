//! The counts are those of the tokenizer the vocabulary comes from.

use std::path::Path;

fn check(text: &str) {
    let expected = tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len();
    let head: String = text.chars().take(200).collect();
    assert_eq!(groma_tokens::count(text), expected, "{head:?}");
    assert_eq!(groma_tokens::count_within(text, expected), Some(expected), "{head:?}");
    if expected > 0 {
        assert_eq!(groma_tokens::count_within(text, expected - 1), None, "{head:?}");
    }
}

#[test]
fn words_signs_and_blanks_are_cut_alike() {
    for text in [
        "",
        "a",
        "I'll we're THEY'VE it'S can'T a'ſ x'd 's",
        "  a",
        " \n  b \r\n\r\n c  ",
        "\t\tif (x) {\n\t\t\ty();\n",
        "HTMLParser getUserById XMLHttpRequest2 ABCdef",
        "1234567890 3.14 1e10 ½ ²",
        "// ----\n/* x */\n\n///",
        "naïve café ÅÄÖåäö ǅungla ʰello",
        "漢字かな交じり文 ABC漢DEF 漢ABC",
        "e\u{301}\u{302}A\u{301}B \u{301}x \u{301}X\u{301}",
        "👩‍👩‍👧‍👦 🇩🇪 😀😀😀",
        "עברית العربية हिन्दी",
        "a\u{a0}b\u{2003}\u{3000}c",
        "\0\u{1b}[31m",
        "\r",
        "\n/\n/ x",
    ] {
        check(text);
    }
}

/// A small generator of numbers; the same ones in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

#[test]
fn random_text_of_all_scripts() {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let corners: Vec<char> =
        "aZz09 \t\r\n'/sStTlLrReEvVdDmMſ.,_-{}()\u{301}\u{a0}漢ʰǅ½é😀\u{200d}".chars().collect();
    for _ in 0..3000 {
        let length = numbers.below(60);
        let text: String = (0..length)
            .filter_map(|_| match numbers.below(4) {
                0 => char::from_u32(numbers.below(0x11_0000) as u32),
                1 => char::from_u32(numbers.below(0x3000) as u32),
                _ => Some(corners[numbers.below(corners.len() as u64) as usize]),
            })
            .collect();
        check(&text);
    }
}

#[test]
fn every_character() {
    for block in 0..0x1100_u32 {
        let text: String = (block << 8..(block + 1) << 8).filter_map(char::from_u32).collect();
        check(&text);
    }
}

#[test]
fn long_runs_are_counted_in_reasonable_time() {
    for unit in ["a", "A", " ", "\n", "=", "漢", "aB", "7", "\u{301}", "abcdefgh"] {
        check(&unit.repeat(3000));
    }
    // Beyond what the tokenizer itself does in time, only that it ends.
    for unit in ["a", "ab", "A", " ", "-", "漢"] {
        assert!(groma_tokens::count(&unit.repeat((1 << 20) / unit.len())) > 0);
    }
}

#[test]
fn source_code_of_this_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut waiting = vec![root.join("crates"), root.join("languages"), root.join("docs")];
    while let Some(directory) = waiting.pop() {
        for entry in std::fs::read_dir(directory).expect("it is there").flatten() {
            if entry.path().is_dir() {
                waiting.push(entry.path());
            } else if let Ok(text) = std::fs::read_to_string(entry.path()) {
                check(&text);
            }
        }
    }
}
