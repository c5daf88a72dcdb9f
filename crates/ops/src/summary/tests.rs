use super::{Section, beginning, checked, described, regenerated};

fn parts(languages: &str) -> Vec<(String, String)> {
    vec![
        ("languages".to_owned(), format!("## Languages\n\n- {languages}\n")),
        ("entry-points".to_owned(), "## Entry points\n\n- main\n".to_owned()),
    ]
}

#[test]
fn cg_13_what_people_wrote_is_never_touched() {
    let mut text = regenerated(&beginning("shop"), &parts("one")).expect("it is well formed");
    assert!(text.contains("## Purpose\n") && text.contains("- one\n"), "{text}");
    // Written before, between and behind generated parts, with odd line ends and no final one.
    text = text.replace("## Purpose\n", "## Purpose\n\nMine.\r\n\ttabs \n");
    text = text.replace("<!-- groma:entry-points", "between\n\n\n<!-- groma:entry-points");
    text.push_str("\nat the end");
    let again = regenerated(&text, &parts("two")).expect("it is well formed");
    assert_eq!(again, text.replace("- one\n", "- two\n"));
    // Nothing changes where nothing changed.
    assert_eq!(regenerated(&again, &parts("two")).expect("it is well formed"), again);
    // A part with nothing to say keeps its place.
    let less = regenerated(&again, &parts("two")[..1]).expect("it is well formed");
    assert!(!less.contains("- main\n") && less.contains("between\n\n\n<!-- groma:entry-points"));
    assert_eq!(regenerated(&less, &parts("two")).expect("it is well formed"), again);
}

#[test]
fn broken_markers_are_told_and_nothing_is_written() {
    for text in [
        "<!-- groma:languages -->\n",
        "<!-- groma:/languages -->\n",
        "<!-- groma:a -->\n<!-- groma:b -->\n<!-- groma:/b -->\n<!-- groma:/a -->\n",
        "<!-- groma:a -->\n<!-- groma:/a -->\n<!-- groma:a -->\n<!-- groma:/a -->\n",
    ] {
        assert!(regenerated(text, &parts("one")).is_err(), "{text}");
        assert!(described(text, Section::Purpose, "x", false).is_err(), "{text}");
    }
}

#[test]
fn cg_14_a_section_is_added_to_or_replaced_and_no_other_is_touched() {
    let text = regenerated(&beginning("shop"), &parts("one")).expect("it is well formed");
    let (text, body) = described(&text, Section::Concepts, "First.", false).expect("written");
    assert_eq!(body, "First.");
    let (text, body) = described(&text, Section::Concepts, "Second.", false).expect("written");
    assert_eq!(body, "First.\n\nSecond.");
    let (with_purpose, _) = described(&text, Section::Purpose, "Sells.", false).expect("written");
    assert_eq!(with_purpose.replace("\nSells.\n", ""), text);
    let (replaced, body) =
        described(&with_purpose, Section::Concepts, "Third.", true).expect("written");
    assert_eq!(body, "Third.");
    assert_eq!(replaced, with_purpose.replace("First.\n\nSecond.", "Third."));
    // The last section of hand stands before generated parts, and stays so.
    let (custom, _) = described(&replaced, Section::Custom, "Note.", false).expect("written");
    assert!(custom.contains("## Notes\n\nNote.\n\n<!-- groma:languages"), "{custom}");
    // A heading inside a fence ends nothing.
    let fenced = "## Purpose\n\n```\n## no heading\n```\nmore\n";
    let (text, body) = described(fenced, Section::Purpose, "x", false).expect("written");
    assert_eq!(body, "```\n## no heading\n```\nmore\n\nx");
    assert_eq!(text, "## Purpose\n\n```\n## no heading\n```\nmore\n\nx\n");
}

#[test]
fn a_section_that_is_not_there_comes_before_generated_parts() {
    for text in ["", "# title", "# title\n", "free text\n\n"] {
        let (text, _) = described(text, Section::Patterns, "New.", false).expect("written");
        assert!(text.ends_with("## Patterns\n\nNew.\n"), "{text:?}");
        let generated = regenerated(&text, &parts("one")).expect("it is well formed");
        let (both, _) = described(&generated, Section::Purpose, "P.", false).expect("written");
        assert!(both.find("## Purpose") < both.find("<!-- groma:"), "{both}");
        assert!(both.contains("New.\n\n## Purpose\n\nP.\n\n<!--"), "{both}");
    }
}

#[test]
fn texts_cannot_break_the_form() {
    assert_eq!(
        checked("# Big\ntext\n## Less\n### Small").expect("a text"),
        "### Big\ntext\n### Less\n### Small"
    );
    assert_eq!(checked("a\u{1b}[31mb").expect("a text"), "a[31mb");
    for wrong in ["", "  \n", "x\n<!-- groma:/languages -->", &"x".repeat(70_000)] {
        assert!(checked(wrong).is_err());
    }
}
