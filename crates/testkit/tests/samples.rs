//! Links of real projects that were looked up in the source, in `languages/*/links/sample.tsv`: of how
//! many a person said that they are right. `sample-before.tsv` is one whose errors led to corrections; the
//! one beside it was drawn after them, with another seed. `cargo xtask sample` draws.

use std::path::Path;

/// Languages for which no compiler says what is right.
const SAMPLED: [&str; 4] = ["kotlin", "ruby", "scala", "swift"];
const LEAST_ROWS: usize = 100;
const LEAST_SHARE: f64 = 0.95;

#[test]
fn sampled_links_are_right() {
    let languages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../languages");
    for language in SAMPLED {
        let folder = languages.join(language).join("links");
        let (rows, right) = judged(language, &folder.join("sample.tsv"));
        assert!(rows >= LEAST_ROWS, "{language}: {rows} rows");
        let share = f64::from(right) / rows as f64;
        assert!(share >= LEAST_SHARE, "{language}: {share:.2} of {rows} are right");
        let before = folder.join("sample-before.tsv");
        if before.exists() {
            let (rows, right) = judged(language, &before);
            assert!(rows >= LEAST_ROWS && (right as usize) < rows, "{language}: {right} of {rows}");
        }
    }
}

/// How many rows a sample has, and how many of them are right.
fn judged(language: &str, path: &Path) -> (usize, u32) {
    let text = std::fs::read_to_string(path).expect("each of them has a sample");
    let mut lines = text.lines();
    let source = lines.next().unwrap_or_default();
    let commit = source.split([' ', ':']).nth(2).unwrap_or_default();
    assert!(source.starts_with("# ") && commit.len() == 40, "{language}: drawn from what?");
    let heads: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let (mut rows, mut right) = (0, 0);
    for line in lines {
        let fields: Vec<&str> = line.split('\t').collect();
        assert_eq!(fields.len(), heads.len(), "{language}: {line}");
        let number = |field: usize| fields[field].parse::<u32>().is_ok_and(|line| line > 0);
        assert!(number(1) && number(4), "{language}: {line}");
        assert_ne!(fields[0], fields[3], "{language}: a link inside of a file: {line}");
        rows += 1;
        match fields[5] {
            "right" => right += 1,
            "wrong" => assert!(!fields[6].is_empty(), "{language}: why? {line}"),
            other => panic!("{language}: `{other}` is no verdict: {line}"),
        }
    }
    (rows, right)
}
