//! Contents that are no text, or text of another kind than expected.

use crate::project::{Project, index_among_neighbours};

#[test]
fn binaries_are_skipped_whatever_they_are_called() {
    let project = Project::new();
    project.write(
        "picture.ts",
        [&[0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'][..], &[0; 64]].concat(),
    );
    project.write("program.rs", (0..=255u8).cycle().take(700_000).collect::<Vec<u8>>());
    let mut late = "fn early() {}\n".repeat(70_000).into_bytes();
    late.push(0);
    project.write("late.rs", late);
    index_among_neighbours(&project);
    assert_eq!(
        project.not_indexed(),
        ["late.rs skipped binary", "picture.ts skipped binary", "program.rs skipped binary"]
    );
    assert_eq!(project.lines("SELECT count(*) FROM symbols WHERE name = 'early'"), ["0"]);
}

/// Bytes of a file, and the offset at which the name `here` stands in them.
fn encoded() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("bom.rs", b"\xef\xbb\xbffn before() {}\nfn here() {}\n".to_vec()),
        ("latin.rs", b"// caf\xe9 au lait pour tout le monde\nfn here() {}\n".to_vec()),
        (
            "overlong.rs",
            b"// an overlong slash: \xc0\xaf and more text here\nfn here() {}\n".to_vec(),
        ),
        (
            "surrogate.rs",
            b"// a lone surrogate: \xed\xa0\x80 and a lot more text here\nfn here() {}\n".to_vec(),
        ),
        ("return.rs", b"// carriage returns only\rfn before() {}\r\nfn here() {}\r".to_vec()),
        ("mixed.rs", b"// one\r\n// two\n\r\n\nfn here() {}\r\n".to_vec()),
        ("wide.rs", "// größer als — 漢字 🦀\nfn here() {}\n".as_bytes().to_vec()),
        ("crab.py", "# 🦀🦀🦀\nx = '漢字'; y = 1\ndef here(): pass\n".as_bytes().to_vec()),
    ]
}

#[test]
fn offsets_address_the_raw_bytes_in_every_encoding() {
    let project = Project::new();
    for (path, bytes) in encoded() {
        project.write(path, &bytes);
    }
    index_among_neighbours(&project);
    let rows = project.rows(
        "SELECT file_path, name_byte, line, name_column, start_byte, end_byte FROM symbols WHERE name = 'here'",
    );
    assert_eq!(rows.len(), encoded().len(), "{rows:?}");
    for (path, bytes) in encoded() {
        let row = rows.iter().find(|row| row["file_path"] == path).expect("a symbol");
        let number = |column: &str| row[column].as_u64().expect("a number") as usize;
        let at = number("name_byte");
        assert_eq!(&bytes[at..at + 4], b"here", "{path}");
        let line_start =
            bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let lines = bytes[..at].iter().filter(|byte| **byte == b'\n').count();
        assert_eq!(number("line"), lines + 1, "{path}");
        assert_eq!(number("name_column"), at - line_start + 1, "{path}");
        assert!(number("start_byte") <= at && at < number("end_byte"), "{path}");
        let outcome = project.groma(&["show", &format!("{path}#here"), "--source"]);
        assert_eq!(outcome.status, Some(0), "{path}: {outcome:?}");
    }
    assert_eq!(
        project.not_indexed(),
        [
            "latin.rs partial encoding",
            "overlong.rs partial encoding",
            "surrogate.rs partial encoding"
        ]
    );
}

#[test]
fn text_in_another_encoding_is_skipped() {
    let project = Project::new();
    let wide = "fn here() {}\n".encode_utf16();
    project.write(
        "little.rs",
        [vec![0xff, 0xfe], wide.clone().flat_map(u16::to_le_bytes).collect()].concat(),
    );
    project.write("big.rs", [vec![0xfe, 0xff], wide.flat_map(u16::to_be_bytes).collect()].concat());
    project.write("cyrillic.rs", [b"// ".to_vec(), vec![0xcf; 200], b"\n".to_vec()].concat());
    index_among_neighbours(&project);
    assert_eq!(
        project.not_indexed(),
        ["big.rs skipped encoding", "cyrillic.rs skipped encoding", "little.rs skipped encoding"]
    );
}

#[test]
fn the_hash_is_that_of_the_bytes_also_where_they_are_no_text() {
    let project = Project::new();
    project.write("abc.txt", "abc");
    project.write("nul.bin", [0]);
    project.index();
    assert_eq!(
        project.lines("SELECT content_hash FROM files ORDER BY path"),
        [
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        ]
    );
}

#[test]
fn repository_text_reaches_the_terminal_without_control_characters() {
    let project = Project::new();
    let name = "evil\u{1b}[31m\u{202e}name.rs";
    project.write(name, "/// \u{1b}]0;title\u{7} \u{202e}docs\n// TODO: \u{1b}[2J wipe\npub fn shown() { \"\u{1b}[31m\u{9b}1m\" }\n");
    project.index();
    for command in [
        &["show", "shown", "--source"][..],
        &["outline", name],
        &["query", "SELECT * FROM symbols"],
        &["query", "SELECT * FROM markers"],
        &["query", "SELECT * FROM files"],
        &["status"],
        &["index", "--performance"],
        &["show", "\u{1b}[31mnothing"],
    ] {
        let outcome = project.groma(command);
        for text in [&outcome.stdout, &outcome.stderr] {
            let bad = text.chars().find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
            assert_eq!(bad, None, "{command:?}: {text:?}");
        }
    }
    // Programs get the text as it is.
    let rows = project.rows("SELECT path FROM files");
    assert_eq!(rows[0]["path"], name);
}
