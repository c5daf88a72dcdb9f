use serde_json::{Value, json};

use super::*;

fn way(keys: &[&str]) -> Vec<String> {
    keys.iter().map(|key| (*key).to_owned()).collect()
}

fn entry() -> Value {
    json!({"command": "groma", "args": ["mcp"]})
}

fn with(text: &str) -> String {
    set(text, &way(&["mcpServers"]), "groma", &entry()).expect("an edit")
}

fn without(text: &str) -> String {
    unset(text, &way(&["mcpServers"]), "groma").expect("an edit")
}

#[test]
fn an_empty_text_becomes_an_object() {
    let text = with("");
    assert_eq!(
        text,
        "{\n  \"mcpServers\": {\n    \"groma\": {\n      \"command\": \"groma\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n"
    );
    assert_eq!(with(&text), text);
    assert_eq!(without(&text), "{}\n");
    assert_eq!(with("// none yet\n"), format!("// none yet\n{text}"));
}

/// Texts with other servers, in every layout: an edit and its reverse give the same bytes.
const TEXTS: &[&str] = &[
    "{\n  // mine\n  \"mcpServers\": {\n    \"a\": {} // first\n  },\n  \"b\": 1, // one\n}\n",
    "{\n\t\"mcpServers\": {\n\t\t\"a\": {},\n\t\t// the last\n\t\t\"b\": {}, /* why */\n\t\t// \"c\": {}\n\t}\n}",
    "{\"mcpServers\":{\"a\":{}},\"x\":1}",
    "{\"mcpServers\": {\"a\": {},}}",
    "{\r\n    \"mcpServers\": {\r\n        \"a\": {}\r\n    }\r\n}\r\n",
    "{ \"mcpServers\": {\n    \"a\": 1 }\n}\n",
    "{\n  \"mcpServers\": {\n    \"a\": 1 /* over\n    lines */\n  }\n}\n",
    "{\n  \"mcpServers\": {\n    \"a\": 1 // no comma\n    , \"b\": 2\n  }\n}\n",
    "{\n  \"mcpServers\": { // nothing\n    // at all\n  },\n  \"z\": []\n}\n",
    "{\n  \"other\": true\n}\n",
    "{\n  \"other\": true, // why\n  // end\n}\n",
    "{\"other\":1}",
];

#[test]
fn an_edit_keeps_everything_else_and_its_reverse_gives_the_same_bytes() {
    for text in TEXTS {
        let edited = with(text);
        let meaning = meaning_of(&edited).expect("readable");
        assert_eq!(meaning["mcpServers"]["groma"], entry(), "{edited}");
        for line in text.lines().map(str::trim).filter(|line| line.contains("//")) {
            let comment = line.split_once("//").expect("a comment").1;
            assert!(edited.contains(comment), "{comment} is gone from {edited}");
        }
        assert_eq!(with(&edited), edited, "twice is once");
        assert_eq!(without(&edited), *text, "after {edited}");
    }
}

#[test]
fn what_a_user_added_to_the_entry_stays() {
    let text = "{\"mcpServers\": {\"groma\": {\"args\": [\"mcp\", \"--tools\", \"all\"], \"command\": \"old\", \"env\": {}}}}";
    assert_eq!(with(text), text.replace("old", "groma"));
    let deep = json!({"transport": {"type": "stdio", "command": "groma"}});
    let text = "{\"mcpServers\": {\"groma\": {\"transport\": {\"type\": \"sse\", \"x\": 1}}}}";
    let edited = set(text, &way(&["mcpServers"]), "groma", &deep).expect("an edit");
    assert_eq!(
        meaning_of(&edited).expect("readable")["mcpServers"]["groma"],
        json!({"transport": {"type": "stdio", "x": 1, "command": "groma"}})
    );
}

#[test]
fn what_cannot_be_understood_is_not_edited() {
    let refused = |text: &str| set(text, &way(&["mcpServers"]), "groma", &entry()).is_err();
    assert!(refused("{\"mcpServers\": "));
    assert!(refused("{\"mcpServers\": []}"));
    assert!(refused("[]"));
    assert!(refused("{\"mcpServers\": {}, \"mcpServers\": {}}"));
    assert!(refused("{'mcpServers': {}}"));
    assert!(refused("{} {}"));
    assert!(refused(&"[".repeat(100_000)));
}

#[test]
fn items_of_lists_come_and_go() {
    let at = way(&["hooks", "PostToolUse"]);
    let ours = |item: &Value| item.to_string().contains("groma");
    let item = |command: &str| json!({"matcher": "Edit", "hooks": [{"command": command}]});
    let texts = [
        "{\n  \"hooks\": {\n    \"PostToolUse\": [\n      { \"matcher\": \"x\" } // theirs\n    ]\n  }\n}\n",
        "{\n  \"model\": \"m\"\n}\n",
        "{\"hooks\":{\"PostToolUse\":[1,2]}}",
    ];
    for text in texts {
        let edited = add(text, &at, &item("groma hook"), &ours).expect("an edit");
        assert_eq!(add(&edited, &at, &item("groma hook"), &ours).as_ref(), Ok(&edited));
        let moved = add(&edited, &at, &item("/bin/groma hook"), &ours).expect("an edit");
        assert_eq!(moved.matches("groma hook").count(), 1, "{moved}");
        assert_eq!(take(&edited, &at, &ours).expect("an edit"), text);
        assert_eq!(take(&moved, &at, &ours).expect("an edit"), text);
    }
    assert!(add("{\"hooks\": []}", &at, &item("groma"), &ours).is_err());
    assert_eq!(take("{}", &at, &ours).expect("nothing to do"), "{}");
}

#[test]
fn no_text_makes_it_panic() {
    let pieces = [
        "{",
        "}",
        "\"mcpServers\"",
        ":",
        ",",
        "[",
        "]",
        "// é\n",
        "/*",
        "*/",
        "\"groma\"",
        "1",
        " ",
        "\n",
        "\r\n",
    ];
    let mut seed = 7_u64;
    let mut edited = 0;
    for _ in 0..60_000 {
        let (start, end) =
            if seed.is_multiple_of(3) { ("{", "}") } else { ("{\"mcpServers\":{", "}}") };
        let mut text = start.to_owned();
        for _ in 0..seed % 9 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text.push_str(pieces[(seed >> 33) as usize % pieces.len()]);
        }
        text.push_str(end);
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if let Ok(after) = set(&text, &way(&["mcpServers"]), "groma", &entry()) {
            edited += 1;
            assert_eq!(meaning_of(&after).expect("readable")["mcpServers"]["groma"], entry());
            unset(&after, &way(&["mcpServers"]), "groma")
                .expect("what was put in can be taken out");
        }
    }
    assert!(edited > 500, "{edited}");
}
