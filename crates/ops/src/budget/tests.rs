use serde_json::{Value, json};

use super::{Cut, LEAST, lines, shortened};
use crate::text::Page;

/// Limits from the lowest on.
const LIMITS: [usize; 12] = [50, 51, 55, 60, 80, 120, 200, 300, 700, 1000, 2000, 5000];

fn check(value: &Value, cut: &Cut, tabled: bool) {
    for limit in LIMITS {
        let text = super::json(value.clone(), cut, tabled, limit);
        let count = tokens::count(&text);
        assert!(count <= limit, "{count} > {limit}: {text}");
        let parsed: Value = serde_json::from_str(&text).expect("it is JSON");
        if parsed.get("truncated").is_none() {
            assert_eq!(tokens::count(&super::json(value.clone(), cut, tabled, usize::MAX)), count);
        }
    }
}

#[test]
fn no_budget_is_exceeded_whatever_the_answer_looks_like() {
    let row =
        |n: usize| json!({"f": format!("src/{}/file{n}.rs", n % 7), "n": "漢".repeat(n % 30)});
    let rows: Vec<Value> = (0..300).map(row).collect();
    let deep = (0..100).fold(json!("end"), |inner, _| json!({ "inner": inner }));
    let listed = Cut { list: Some("rows"), offset: Some(5) };
    let plain = Cut { list: None, offset: None };
    for value in [
        json!({"rows": rows, "total": 1000, "index": {"stale": true}}),
        json!({"rows": [], "text": "word ".repeat(5000)}),
        json!({"rows": [{"source": "x = 1\n".repeat(5000)}]}),
        json!({"rows": [{"sites": rows}, {"sites": rows}]}),
        json!({"other": rows, "more": {"and": rows}}),
        json!({ "a".repeat(10_000): 1 }),
        Value::Array(rows.clone()),
        json!({"rows": [deep]}),
        json!({"rows": vec!["\u{1}\u{2}\"\\".repeat(50); 100]}),
    ] {
        for cut in [&listed, &plain] {
            check(&value, cut, true);
            check(&value, cut, false);
        }
    }
}

#[test]
fn cx_20_items_are_cut_from_the_end_and_the_rest_can_be_asked_for() {
    let rows: Vec<Value> = (0..100).map(|n| json!({"n": format!("name{n}")})).collect();
    let cut = Cut { list: Some("rows"), offset: Some(20) };
    let text = super::json(json!({"rows": rows, "total": 500}), &cut, false, 200);
    let value: Value = serde_json::from_str(&text).expect("it is JSON");
    let kept = value["rows"].as_array().expect("rows").len();
    assert_eq!(value["rows"][kept - 1], rows[kept - 1]);
    assert!(kept > 15, "{text}");
    assert_eq!(value["truncated"], true);
    assert_eq!(value["total"], 500);
    assert_eq!(value["next"], 20 + kept);
    // Not many more would have fit.
    let mut longer = value.clone();
    longer["rows"] = rows[..kept + 4].into();
    assert!(tokens::count(&longer.to_string()) > 200);
}

#[test]
fn cx_16_only_paths_of_the_rows_that_are_left_stand_in_the_table() {
    let rows: Vec<Value> = (0..100).map(|n| json!({"f": format!("src/{}.rs", n / 3)})).collect();
    let cut = Cut { list: Some("rows"), offset: None };
    let text = super::json(json!({ "rows": rows }), &cut, true, 120);
    let value: Value = serde_json::from_str(&text).expect("it is JSON");
    let kept = value["rows"].as_array().expect("rows").len();
    assert_eq!(value["_f"].as_array().expect("a table").len(), (kept - 1) / 3 + 1);
    assert_eq!(value["rows"][kept - 1]["fi"], (kept - 1) / 3);
    assert_eq!((value["total"].as_u64(), value.get("next")), (Some(100), None));
    // A single file needs no table.
    let one = super::json(json!({"rows": [{"f": "a"}, {"f": "a"}]}), &cut, true, 120);
    assert_eq!(one, "{\"rows\":[{\"f\":\"a\"},{\"f\":\"a\"}]}\n");
}

#[test]
fn cx_21_no_character_is_split() {
    assert_eq!(shortened("漢字かな", 3), "漢字…");
    assert_eq!(shortened("👩‍👩‍👧", 9), "👩‍👩‍👧");
    let text = format!("{}\n", "😀漢".repeat(3000));
    for limit in LIMITS {
        assert!(tokens::count(&cut_lines(&text, None, limit)) <= limit);
    }
}

#[test]
fn lines_are_cut_from_the_end_with_a_last_line_that_says_so() {
    let text: String = (0..1000).map(|n| format!("line {n} of many\n")).collect();
    for limit in LIMITS {
        let cut = cut_lines(&text, Some("\u{1b}[33mfiles have changed\u{1b}[0m"), limit);
        assert!(tokens::count(&cut) <= limit);
        assert_eq!(cut.lines().last(), Some("files have changed"));
        assert!(cut.starts_with("line 0 of many\n"), "{cut}");
        assert!(cut.contains("more lines; raise --max-tokens"), "{cut}");
    }
    let long = cut_lines(&"word ".repeat(1000), None, LEAST);
    assert!(long.starts_with("word word") && long.contains('…'), "{long}");
    assert_eq!(cut_lines("short\n", None, LEAST), "short\n");
}

fn cut_lines(text: &str, footer: Option<&str>, limit: usize) -> String {
    let mut page = Page::default();
    page.line(text.trim_end());
    lines(page, footer, &Cut { list: None, offset: None }, || json!({}), limit)
}

#[test]
fn text_is_cut_between_items_and_says_where_to_go_on() {
    let page = || {
        let mut page = Page::default();
        page.line("head");
        for number in 0..100 {
            page.item();
            page.line(format!("item {number}"));
            page.line(format!("  of which this is the second line, number {number}"));
        }
        page.end_items();
        page.line("foot");
        page
    };
    let items: Vec<usize> = (0..100).collect();
    let value = json!({"items": items, "total": 100});
    for limit in LIMITS {
        let cut = Cut { list: Some("items"), offset: Some(0) };
        let text = lines(page(), None, &cut, || value.clone(), limit);
        assert!(tokens::count(&text) <= limit, "{text}");
        let all: Vec<&str> = text.lines().collect();
        let [.., before, last] = all.as_slice() else { panic!("{text}") };
        if *last == "foot" {
            continue;
        }
        let next: usize =
            before.rsplit(' ').next().and_then(|word| word.parse().ok()).expect("a number");
        assert_eq!(*last, format!("… {} more of 100; go on with --offset {}", 99 - next, next + 1));
        assert!(before.starts_with("  of which"), "{text}");
    }
    let mut rest = page();
    rest.skip(98);
    let text = rest.into_text();
    assert!(text.starts_with("head\nitem 98\n") && text.ends_with("number 99\nfoot\n"), "{text}");
    let mut none = page();
    none.skip(1000);
    assert_eq!(none.into_text(), "head\nfoot\n");
}
