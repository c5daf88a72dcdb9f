//! Links for people.

use super::{Found, Named, Output};
use crate::Skipped;
use crate::text::{self, Page, styled};

pub(super) fn render(output: &Output, verb: &str, page: &mut Page) {
    for symbol in &output.symbols {
        page.line(format!(
            "{}{} {}  {}",
            label(&symbol.project),
            styled(text::KIND, &symbol.kind),
            styled(text::HEADING, &text::visible(name_of(symbol))),
            styled(text::PATH, &text::visible(&format!("{}:{}", symbol.path, symbol.line))),
        ));
    }
    if let Some(count) = output.symbol_count {
        let more = text::count((count - output.symbols.len()) as u64);
        page.line(styled(text::DIM, &format!("and {more} more of that name")));
    }
    page.blank();
    if output.found.is_empty() {
        page.line(styled(text::DIM, &format!("nothing is {verb} as far as links are known")));
    }
    let mut in_tests = false;
    for found in &output.found {
        page.item();
        if found.is_test && !in_tests {
            in_tests = true;
            page.line(styled(text::DIM, "  in tests"));
        }
        render_found(found, verb, page);
    }
    page.end_items();
    page.blank();
    page.line(styled(text::DIM, &summary(output)));
    Skipped::tell(&output.skipped_projects, page);
}

fn label(project: &Option<String>) -> String {
    match project {
        Some(name) => format!("[{}] ", text::visible(name)),
        None => String::new(),
    }
}

fn render_found(found: &Found, verb: &str, page: &mut Page) {
    let name = found.symbol.as_ref().map_or("(top level)", name_of);
    let lines: Vec<String> = found.sites.iter().map(|site| site.line.to_string()).collect();
    let place = match (&found.symbol, verb) {
        // A callee is somewhere else than the calls.
        (Some(symbol), "calls") => format!("{}:{}", symbol.path, symbol.line),
        _ => format!("{}:{}", found.path, lines.first().map_or("", String::as_str)),
    };
    let mut notes = Vec::new();
    if lines.len() > 1 || verb == "calls" {
        notes.push(format!("lines {}", lines.join(", ")));
    }
    let short = |key: &str| key.split_once('#').map_or(key, |(_, name)| name).to_owned();
    notes.extend(found.dispatch.as_deref().map(|key| format!("through {}", short(key))));
    notes.extend(found.of.as_deref().map(|key| match verb {
        "calls" => format!("from {}", short(key)),
        _ => format!("of {}", short(key)),
    }));
    let notes = if notes.is_empty() { String::new() } else { format!("  {}", notes.join(" · ")) };
    let indent = "  ".repeat(found.distance as usize);
    page.line(format!(
        "{indent}{}{}  {}{}",
        label(&found.project),
        styled(text::HEADING, &text::visible(name)),
        styled(text::PATH, &text::visible(&place)),
        styled(text::DIM, &text::visible(&notes)),
    ));
    if let Some(line) = found.sites.first().and_then(|site| site.text.as_ref()) {
        page.line(styled(text::DIM, &format!("{indent}    {}", text::visible(line))));
    }
}

fn name_of(symbol: &Named) -> &str {
    symbol.key.split_once('#').map_or(symbol.key.as_str(), |(_, name)| name)
}

fn summary(output: &Output) -> String {
    let ledger = &output.ledger;
    let mut parts = vec![match ledger.sites {
        1 => "1 place".to_owned(),
        sites => format!("{} places", text::count(sites as u64)),
    }];
    if ledger.in_tests > 0 {
        parts.push(format!("{} in tests", ledger.in_tests));
    }
    if output.truncated {
        parts.push("more with --limit".to_owned());
    }
    let mut note = |count: usize, what: &str| {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    };
    note(ledger.ambiguous, "ambiguous");
    note(ledger.filtered, "filtered");
    note(ledger.external, "external");
    note(ledger.unresolved, "of that name not linked");
    if let Some(followed) = ledger.followed {
        let count = text::count(followed as u64);
        parts.push(format!("of the first {count} symbols of that name: name one for all of its"));
    }
    parts.join(" · ")
}
