//! A text or a regular expression in the files as they are now, all of them, at the speed of reading.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::sinks::Lossy;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use schemars::JsonSchema;
use serde::Serialize;
use store::{FileHead, Reader};

use super::filters::Conditions;
use super::question::Filters;
use super::{Hit, How, Input, Output};
use crate::workspace::unusable;
use crate::{Error, Kind, Result, Workspace};

/// Longer lines are shown up to here.
const SHOWN_LINE: usize = 400;

/// Files that were not scanned, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unscanned {
    pub reason: String,
    pub files: usize,
}

/// Lines of one file: number and text.
type Lines = Vec<(u32, String)>;

pub(super) fn scan(
    workspace: &Workspace,
    project: &::index::Project,
    reader: &Reader,
    pattern: &str,
    input: &Input,
) -> Result<Output> {
    if pattern.is_empty() {
        return Err(Error::new(Kind::Usage, "there is no text to look for"));
    }
    let matcher = matcher(pattern, input)?;
    let filters = Filters { paths: input.path.clone(), ..Filters::default() };
    let conditions = Conditions::new(&filters, reader)?;
    let mut heads = reader.file_heads().map_err(unusable)?;
    heads.retain(|head| conditions.accept_file(head));
    let paths: Vec<&str> = heads.iter().map(|head| head.path.as_str()).collect();
    let wanted = input.offset.saturating_add(input.limit);
    let scanned = scan_files(project, &paths, &matcher, wanted, workspace);
    if workspace.interrupted.load(Ordering::Relaxed) {
        return Err(Error::new(Kind::Interrupted, "interrupted"));
    }
    let mut hits = Vec::new();
    let (mut total, mut unreadable) = (0, 0);
    for (head, found) in heads.iter().zip(scanned) {
        let Some((count, lines)) = found else {
            unreadable += 1;
            continue;
        };
        for (number, (line, text)) in lines.into_iter().enumerate() {
            let place = total + number;
            if place < wanted {
                hits.push(annotate(reader, head, line, text).map_err(unusable)?);
            }
        }
        total += count;
    }
    let mut unscanned: Vec<Unscanned> = reader
        .skipped_files()
        .map_err(unusable)?
        .into_iter()
        .map(|(reason, files)| Unscanned { reason, files })
        .collect();
    if unreadable > 0 {
        unscanned.push(Unscanned { reason: "cannot be read now".to_owned(), files: unreadable });
    }
    Ok(Output { unscanned, ..Output::new(hits, total, heads.len() - unreadable) })
}

fn matcher(pattern: &str, input: &Input) -> Result<RegexMatcher> {
    RegexMatcherBuilder::new()
        .fixed_strings(input.literal)
        .case_insensitive(input.ignore_case)
        .line_terminator(Some(b'\n'))
        .size_limit(10 << 20)
        .build(pattern)
        .map_err(|error| {
            Error::new(Kind::Usage, format!("the regular expression is not one: {error}"))
                .hint("Use --literal to look for the text itself.")
        })
}

/// The number of lines that match in each file, and as many of them as could be wanted; nothing for a
/// file that cannot be read.
fn scan_files(
    project: &::index::Project,
    paths: &[&str],
    matcher: &RegexMatcher,
    wanted: usize,
    workspace: &Workspace,
) -> Vec<Option<(usize, Lines)>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(vec![None; paths.len()]);
    let work = || {
        let mut searcher = SearcherBuilder::new()
            .line_number(true)
            .binary_detection(BinaryDetection::quit(0))
            .build();
        let mut own = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= paths.len() || workspace.interrupted.load(Ordering::Relaxed) {
                break;
            }
            own.push((number, scan_file(&mut searcher, project, paths[number], matcher, wanted)));
        }
        let mut results = results.lock().expect("no other thread fails while it has the lock");
        for (number, result) in own {
            results[number] = result;
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    results.into_inner().expect("all threads ended well")
}

fn scan_file(
    searcher: &mut Searcher,
    project: &::index::Project,
    path: &str,
    matcher: &RegexMatcher,
    wanted: usize,
) -> Option<(usize, Lines)> {
    let (file, _) = ::index::read::open_source(&project.root.join(path)).ok()?;
    let mut lines = Vec::new();
    let mut count = 0;
    let sink = Lossy(|line, text| {
        count += 1;
        if lines.len() < wanted {
            let text = text.trim_end_matches(['\r', '\n']);
            lines.push((
                u32::try_from(line).unwrap_or(u32::MAX),
                text.chars().take(SHOWN_LINE).collect(),
            ));
        }
        Ok(true)
    });
    searcher.search_file(matcher, &file, sink).ok()?;
    Some((count, lines))
}

/// A line with the innermost symbol around it.
fn annotate(
    reader: &Reader,
    head: &FileHead,
    line: u32,
    text: String,
) -> store::rusqlite::Result<Hit> {
    let around = reader
        .symbol_lines(head.id)?
        .into_iter()
        .filter(|symbol| symbol.lines.start <= line && line <= symbol.lines.end)
        .min_by_key(|symbol| (symbol.lines.end - symbol.lines.start, std::cmp::Reverse(symbol.id)));
    let mut hit = Hit {
        project: None,
        source: None,
        path: head.path.clone(),
        line_start: line,
        line_end: line,
        kind: None,
        name: None,
        signature: None,
        text: Some(text),
        how: How::Scanned,
    };
    if let Some(symbol) = around {
        hit.kind = Some(symbol.kind.as_str().to_owned());
        hit.name = Some(reader.definition(symbol.id)?.qualified_name);
    }
    Ok(hit)
}
