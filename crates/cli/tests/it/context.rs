//! A task in words, and the code that matters for it.

use serde_json::Value;

use crate::project::Project;

fn context(project: &Project, arguments: &[&str]) -> Value {
    let mut all = vec!["context", "--json"];
    all.extend(arguments);
    let outcome = project.groma(&all);
    assert_eq!(outcome.status, Some(0), "{arguments:?}: {outcome:?}");
    outcome.json()
}

fn shop() -> Project {
    let mut filler = String::new();
    for number in 0..30 {
        filler += &format!("    total = total + discount_of(item, {number})\n");
    }
    let project = Project::with(&[
        (
            "shop/cart.py",
            &format!(
                "class Cart:\n    \"\"\"Things that somebody wants to buy.\"\"\"\n\n    def add(self, item):\n        self.items.append(item)\n\n    def price(self, item):\n        total = 0\n{}        return total\n",
                filler.replace("    total", "        total")
            ),
        ),
        ("shop/discounts.py", "def discount_of(item, rate):\n    return item.price * rate\n"),
        ("shop/mail.py", "def send_receipt(address):\n    return connect(address)\n"),
        ("tests/test_cart.py", "def test_add():\n    Cart().add(1)\n"),
    ]);
    project.index();
    project
}

fn paths(answer: &Value) -> Vec<&str> {
    let files = answer["files"].as_array().expect("a list");
    files.iter().filter_map(|file| file["path"].as_str()).collect()
}

#[test]
fn what_matters_most_is_told_in_most_detail() {
    let project = shop();
    let found = context(&project, &["the discount of an item is applied twice"]);
    assert_eq!(found["intent"], "other");
    assert_eq!(paths(&found)[0], "shop/discounts.py");
    assert_eq!(found["files"][0]["symbols"][0]["level"], "body");
    let small =
        context(&project, &["the discount of an item is applied twice", "--max-tokens", "150"]);
    assert!(paths(&small).len() <= paths(&found).len(), "{small}");
}

#[test]
fn paths_names_and_stack_traces_in_the_text_count_most() {
    let project = shop();
    let trace = "Traceback (most recent call last):\n  File \"/srv/app/shop/mail.py\", line 2, in send_receipt\n\
                 KeyError: item in the cart has no price";
    let found = context(&project, &[trace]);
    assert_eq!((paths(&found)[0], &found["intent"]), ("shop/mail.py", &"debug".into()));
    assert_eq!(found["files"][0]["symbols"][0]["name"], "send_receipt");
    assert_eq!(paths(&context(&project, &["clean up `send_receipt`"]))[0], "shop/mail.py");
    assert_eq!(
        paths(&context(&project, &["shop.discounts is too slow for a cart"]))[0],
        "shop/discounts.py"
    );
}

#[test]
fn an_issue_can_come_from_standard_input() {
    let project = shop();
    let mut command = project.command(&["context", "-", "--compact"]);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    use std::io::Write;
    let mut input = child.stdin.take().expect("a pipe");
    input
        .write_all("Receipts are not sent\n\nThe address is lost.\n".as_bytes())
        .expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["files"][0][0], "shop/mail.py");
}

/// Words that stand nowhere are no reason to forget those that do, however old the index is.
#[test]
fn an_updated_index_reads_a_long_task_as_a_fresh_one_does() {
    let project = shop();
    project.write("src/later.ts", "export const laterThanAll = 1;\n");
    project.index();
    let letters = || 'b'..='k';
    let strange: Vec<String> =
        letters().flat_map(|a| letters().map(move |b| format!("qz{a}v{b}x"))).collect();
    let task = format!("fix it\n\n{}\n\nthe tax of a cart is wrong", strange.join(" "));
    let updated = context(&project, &[&task]);
    assert!(!paths(&updated).is_empty(), "{updated}");
    let outcome = project.groma(&["index", "--full"]);
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    assert_eq!(paths(&context(&project, &[&task])), paths(&updated));
}

#[test]
fn a_task_without_words_is_refused() {
    let project = shop();
    for (task, status) in [("", 2), ("   ", 2), ("zzz qqq", 3), ("...", 3)] {
        let outcome = project.groma(&["context", task]);
        assert_ne!(outcome.status, Some(0), "{task}: {outcome:?}");
        assert!(outcome.status == Some(status) || outcome.status == Some(1), "{task}: {outcome:?}");
    }
    let long = "the discount of an item\n".repeat(4000);
    assert_eq!(paths(&context(&project, &[&long]))[0], "shop/discounts.py");
}
