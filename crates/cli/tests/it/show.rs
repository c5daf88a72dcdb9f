//! What `show` says of a symbol and of what is around it.

use serde_json::json;

use crate::project::Project;

fn shop() -> Project {
    let project = Project::with(&[
        (
            "shop/prices.py",
            "def total(items):\n    return add(items)\n\ndef add(items):\n    return sum(items)\n",
        ),
        (
            "shop/report.py",
            "from shop.prices import total\n\nclass Report:\n    def text(self):\n        return str(total([1]))\n\n    def twice(self):\n        return self.text() + self.text()\n\nprint(total([]))\n",
        ),
        (
            "tests/test_report.py",
            "from shop.report import Report\n\ndef test_text():\n    assert Report().text()\n\ndef test_twice():\n    assert Report().twice()\n",
        ),
        ("shop/__init__.py", ""),
        ("notes.txt", "no symbols here\n"),
    ]);
    project.index();
    project
}

#[test]
fn a_test_that_has_the_whole_name_of_a_type_does_not_stand_for_it() {
    let project = Project::with(&[
        ("app/feed/entry.rb", "class Feed::Entry\n  def text\n    1\n  end\nend\n"),
        (
            "spec/feed/entry_spec.rb",
            "RSpec.describe Feed::Entry do\n  it 'has a text' do\n    described_class.new.text\n  end\nend\n",
        ),
    ]);
    project.index();
    let shown = project.groma(&["show", "Feed::Entry", "--json"]).json();
    assert_eq!(shown["matches"][0]["kind"], "class", "{shown}");
    assert_eq!(shown["matches"][1]["kind"], "test", "{shown}");
    let around = project.groma(&["hierarchy", "Feed::Entry", "--json"]).json();
    assert_eq!(around["matches"][0]["kind"], "class", "{around}");
}

#[test]
fn a_symbol_is_found_by_its_module_and_name() {
    let project = shop();
    for name in ["shop.prices.total", "prices.total", "shop::report::Report.text", "report/Report"]
    {
        let shown = project.groma(&["show", name, "--json"]).json();
        assert_eq!(shown["matches"].as_array().map(Vec::len), Some(1), "{name}: {shown}");
        let found = project.groma(&["search", name, "--json"]).json();
        assert_eq!(found["hits"][0]["how"], "exact", "{name}: {found}");
    }
    let other = project.groma(&["show", "shop.report.total", "--json"]).json();
    assert_eq!(other["error"]["code"], "not_found", "{other}");
}

#[test]
fn cm_74_a_symbol_has_callers_callees_and_the_tests_that_reach_it() {
    let project = shop();
    let shown = &project.groma(&["show", "total", "--json"]).json()["matches"][0];
    assert_eq!(shown["callers"]["total"], 2);
    assert_eq!(
        shown["callers"]["first"],
        json!([
            {"name": "Report.text", "path": "shop/report.py", "line": 5},
            {"path": "shop/report.py", "line": 10},
        ])
    );
    let callees =
        json!({"total": 1, "first": [{"name": "add", "path": "shop/prices.py", "line": 4}]});
    assert_eq!(shown["callees"], callees);
    // Through `text`, and through `twice` and `text`.
    assert_eq!(shown["tests"]["total"], 2);
    assert_eq!(shown["tests"]["first"][0]["name"], "test_text");
    // Four calls away.
    let far = &project.groma(&["show", "add", "--json"]).json()["matches"][0];
    assert_eq!(far["tests"]["total"], 1, "{far}");
    // Who makes a value of a class calls it.
    let class = &project.groma(&["show", "Report", "--json"]).json()["matches"][0];
    assert_eq!(class["callers"]["total"], 2);
    assert!(class.get("callees").is_none());
    let text = project.groma(&["show", "total"]).stdout;
    assert!(
        text.contains(
            "\n  called by 2: Report.text shop/report.py:5, (top level) shop/report.py:10\n"
        ),
        "{text}"
    );
    assert!(text.contains("\n  calls 1: add shop/prices.py:4\n"), "{text}");
}

#[test]
fn calls_of_its_name_that_lead_nowhere_are_counted() {
    let project = Project::with(&[
        ("cart.py", "class Cart:\n    def total(self):\n        return 1\n"),
        ("use.py", "def report(unknown):\n    return unknown.total() + unknown.total\n"),
    ]);
    project.index();
    let shown = &project.groma(&["show", "Cart.total", "--json"]).json()["matches"][0];
    assert_eq!(shown["callers"]["total"], 0, "{shown}");
    assert_eq!(shown["callers"]["unlinked"], json!({"total": 1}));
    let text = project.groma(&["show", "Cart.total"]).stdout;
    assert!(text.contains("\n  called by 0 · 1 of that name not linked\n"), "{text}");
    let class = &project.groma(&["show", "Cart", "--json"]).json()["matches"][0];
    assert!(class["callers"].get("unlinked").is_none(), "{class}");
    // There may be more than are looked at.
    for number in 0..120 {
        project.write(&format!("more/{number}.py"), "def more(it):\n    it.total()\n");
    }
    project.index();
    let shown = &project.groma(&["show", "Cart.total", "--json"]).json()["matches"][0];
    assert_eq!(shown["callers"]["unlinked"]["at_least"], true, "{shown}");
    let text = project.groma(&["show", "Cart.total"]).stdout;
    assert!(text.contains(" · at least "), "{text}");
}

#[test]
fn a_file_is_no_symbol_but_has_an_outline() {
    let project = shop();
    for (name, message) in [
        ("shop/report.py", "`shop/report.py` is a file, not a symbol"),
        ("./shop/report.py", "`shop/report.py` is a file, not a symbol"),
        ("shop/report.py:2", "no symbol stands at line 2 of `shop/report.py`"),
        ("shop/report.py:99999", "no symbol stands at line 99999 of `shop/report.py`"),
    ] {
        let outcome = project.groma(&["show", name, "--json"]);
        assert_eq!(outcome.status, Some(1), "{name}");
        assert_eq!(outcome.error()["message"], message);
        assert_eq!(outcome.error()["hint"], "`groma outline shop/report.py` lists its symbols.");
    }
}

#[test]
fn odd_names_are_answered_with_an_error() {
    let project = shop();
    let long = "x".repeat(100_000);
    for name in [
        "",
        " ",
        "#",
        ":",
        "a:b:c",
        "\u{1b}[31m",
        "~",
        "%",
        "'; DROP TABLE file; --",
        &long,
        "-99999999999999999999",
    ] {
        let outcome = project.groma(&["show", "--json", "--", name]);
        assert_eq!(outcome.status, Some(1), "{outcome:?}");
        assert_eq!(outcome.error()["code"], "not_found");
        assert!(outcome.stdout.len() < 5000);
    }
}

#[test]
fn many_of_one_name_are_shown_in_part_with_the_total() {
    let project = Project::new();
    for number in 0..30 {
        let text = format!("class Model:\n    def save_{number}(self):\n        pass\n");
        project.write(&format!("app_{number:02}/models.py"), text);
    }
    project.index();
    let json = project.groma(&["show", "Model", "--json"]).json();
    assert_eq!(json["matches"].as_array().map(Vec::len), Some(20));
    assert_eq!(
        (&json["total"], &json["truncated"], &json["next"]),
        (&json!(30), &json!(true), &json!(20))
    );
    assert_eq!(json["disambiguation"]["n"], 30);
    // The first in full, the others briefly.
    assert_eq!(json["matches"][0]["members"][0]["name"], "save_0");
    assert_eq!(
        (&json["matches"][9]["members"], &json["matches"][9]["members_left_out"]),
        (&json!([]), &json!(1))
    );
    let rest = project.groma(&["show", "Model", "--offset", "28", "--json"]).json();
    assert_eq!(rest["matches"][1]["path"], "app_29/models.py");
    assert!(
        rest.get("next").is_none() && rest["matches"][0]["members"][0]["name"] == "save_28",
        "{rest}"
    );
    let text = project.groma(&["show", "Model"]).stdout;
    assert!(text.ends_with("20 shown; more with --offset 20\n"), "{text}");
}
