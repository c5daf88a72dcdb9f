//! Links between files, checked against annotations in their text.
//!
//! A case is one text. `//- path` begins a file, with the comment sign of the language. Carets in a
//! comment point at the line above: a bare word behind them names the definition there, `-> word`
//! demands that the name there leads to it, with `likely` or `certain` behind it how sure, `-> nothing` that it leads nowhere in the project, and
//! `-> external` that it is known to be outside.

use std::collections::HashMap;

use extract::Source;
use languages::Registry;
use model::FileFacts;
use resolve::{Body, File, Linker, Memory, Outcome, Settings};

/// What a case expects, and what it got instead.
#[derive(Debug, Default)]
pub struct Checked {
    pub expected: usize,
    /// One line for each that failed.
    pub failures: Vec<String>,
}

struct Annotation {
    file: usize,
    line: u32,
    column: u32,
    says: String,
}

/// Checks all annotations of a case.
pub fn check(case: &str) -> Checked {
    let (files, annotations) = split(case);
    let mut settings = Settings::default();
    for (path, text) in &files {
        settings.read(path, text);
    }
    settings.finish();
    let registry = Registry::builtin();
    let mut world = Memory::new(settings);
    let mut all: Vec<FileFacts> = Vec::new();
    for (path, text) in &files {
        let language = registry.detect(path, text.as_bytes());
        let mut facts = extract::extract(language, Source { path, text });
        world.add(path, language, &mut facts);
        all.push(facts);
    }
    let mut linker = Linker::new(&world);
    let outcomes: Vec<Vec<Outcome>> = all
        .iter()
        .enumerate()
        .map(|(file, facts)| {
            let body = Body::of(facts);
            linker.link(file as File, body).outcomes
        })
        .collect();
    let mut named: HashMap<String, String> = HashMap::new();
    let place = |file: usize, line: u32| format!("{}:{line}", files[file].0);
    let show = |outcome: &Outcome| match outcome {
        Outcome::Resolved(target, _) => {
            let facts = &all[target.file as usize];
            let symbol = &facts.symbols[target.symbol as usize];
            let (line, column) = facts.position(symbol.name_span.start);
            format!("{}:{line}:{column}", files[target.file as usize].0)
        }
        Outcome::File(file, _) => files[*file as usize].0.clone(),
        Outcome::External(_) => "external".to_owned(),
        other => format!("{other:?}"),
    };
    let mut checked = Checked::default();
    for annotation in annotations.iter().filter(|annotation| !annotation.says.starts_with("->")) {
        let facts = &all[annotation.file];
        let here = (annotation.line, annotation.column);
        let found = facts.symbols.iter().any(|s| facts.position(s.name_span.start) == here);
        if !found {
            checked.failures.push(format!(
                "{}:{} no symbol is defined here for `{}`",
                place(annotation.file, annotation.line),
                annotation.column,
                annotation.says
            ));
        }
        named.insert(
            annotation.says.clone(),
            format!("{}:{}:{}", files[annotation.file].0, here.0, here.1),
        );
    }
    for annotation in &annotations {
        let Some(target) = annotation.says.strip_prefix("->").map(str::trim) else { continue };
        checked.expected += 1;
        let facts = &all[annotation.file];
        let here = (annotation.line, annotation.column);
        let (target, sure) = match target.split_once(' ') {
            Some((target, sure)) => (target, Some(sure)),
            None => (target, None),
        };
        let is_so_sure = |outcome: &Outcome| match (outcome, sure) {
            (Outcome::Resolved(_, how), Some(sure)) => how.confidence().as_str() == sure,
            (_, sure) => sure.is_none(),
        };
        let got: Vec<String> = facts
            .references
            .iter()
            .zip(&outcomes[annotation.file])
            .filter(|(reference, _)| facts.position(reference.start) == here)
            .map(|(_, outcome)| match is_so_sure(outcome) {
                true => show(outcome),
                false => format!("{}, but not {}", show(outcome), sure.unwrap_or_default()),
            })
            .collect();
        let wanted = match target {
            "nothing" | "external" => target.to_owned(),
            name => named.get(name).cloned().unwrap_or_else(|| name.to_owned()),
        };
        let is_right = match target {
            "nothing" => got.iter().all(|got| !got.contains(':') || got.starts_with("Amb")),
            _ => got.contains(&wanted),
        };
        if !is_right {
            checked.failures.push(format!(
                "{}:{} should lead to {wanted} ({target}), leads to {got:?}",
                place(annotation.file, annotation.line),
                annotation.column
            ));
        }
    }
    checked
}

/// The files of a case, with lines of annotations left as they are (they are comments).
fn split(case: &str) -> (Vec<(String, String)>, Vec<Annotation>) {
    let mut files: Vec<(String, String)> = Vec::new();
    let mut annotations = Vec::new();
    let (mut line, mut above) = (0, 0);
    for text in case.lines() {
        let path =
            ["//- ", "#- ", "<!-- - ", "/*- "].iter().find_map(|sign| text.strip_prefix(sign));
        if let Some(path) = path {
            files.push((path.trim().to_owned(), String::new()));
            (line, above) = (0, 0);
            continue;
        }
        let Some(file) = files.len().checked_sub(1) else { continue };
        line += 1;
        match annotation(text) {
            Some((column, says)) => {
                annotations.push(Annotation { file, line: above, column, says });
            }
            None => above = line,
        }
        files[file].1.push_str(text);
        files[file].1.push('\n');
    }
    (files, annotations)
}

/// The column and the words of a line of carets.
fn annotation(text: &str) -> Option<(u32, String)> {
    let bare = text.trim_start();
    let bare = bare.strip_prefix("//").or_else(|| bare.strip_prefix('#'))?;
    let carets = bare.trim_start();
    if !carets.starts_with('^') {
        return None;
    }
    let column = text.len() - carets.len() + 1;
    let says = carets.trim_start_matches('^').trim();
    (!says.is_empty()).then(|| (column as u32, says.to_owned()))
}
