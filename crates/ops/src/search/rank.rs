//! From words to the files and symbols that are about them.
//!
//! Two steps. The first knows only which files have which words, in their text, in their path and in the
//! names they define, and picks the files worth opening. The second opens those and scores every
//! definition in them by fielded BM25: name, path, text. A file counts by its best
//! definition, by all of them together and as a whole; then come the words in its own name, names that
//! the question spells out, and priors: tests, examples, generated files and barrels are seldom what is
//! asked for, so they step back unless the question speaks of them.
//!
//! The weights are round and few; docs/search.md has the measurements they stand on.

use model::SymbolKind;
use rustc_hash::{FxHashMap, FxHashSet};
use store::rusqlite::Result;
use store::{FileHead, NameHit, Reader, SymbolLine, Wanted};

use super::filters::Conditions;
use super::priors;
use super::question::Question;
use super::units::{self, Unit};
use crate::symbol_query::last_part;

/// Files that are opened.
const OPENED: usize = 250;
/// Names whose definitions are looked up to find files worth opening.
const NAMES: usize = 400;
/// What it counts for being opened that a word stands in the path, and in the name of a definition.
const PATH_FIRST: f64 = 1.5;
const NAME_FIRST: f64 = 2.0;

/// Weights of the fields of a definition.
const NAME: f64 = 8.0;
const PATH: f64 = 3.0;
pub(super) const TEXT: f64 = 0.7;
/// How soon more of the same word stops to matter.
const SATURATION: f64 = 1.2;
/// How much long definitions and long files are held against what they contain.
const LENGTH: f64 = 0.6;

/// A file's score: its best definition counts 1, its definitions together and the whole file this much.
const TOGETHER: f64 = 0.4;
/// A task is seldom about one definition.
const TOGETHER_FOR_TASK: f64 = 1.0;
const WHOLE: f64 = 0.4;
/// Definitions of a file that count together.
const COUNTED: usize = 6;
/// Words of the question in the name of the file; half of that in the name of its directory.
const FILE_NAME: f64 = 1.5;
/// A definition whose name the question spells out.
const SPELLED_OUT: f64 = 0.5;
/// Files whose users are counted, and what they count.
const COUNTED_USERS: usize = 60;
const USERS: f64 = 0.08;

/// What is asked besides the words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mode {
    /// The text describes a task: words repeat, and what is popular is not what is meant.
    pub(crate) is_task: bool,
}

/// A file that is opened in any case, and what that adds to its score.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Given {
    pub(crate) file: i64,
    pub(crate) bonus: f64,
}

/// A file with its definitions, best first.
#[derive(Debug)]
pub(crate) struct RankedFile {
    pub(crate) head: FileHead,
    pub(crate) score: f64,
    /// Numbers in `symbols`; `None` stands for what is outside of any.
    pub(crate) units: Vec<(f64, Option<usize>)>,
    pub(crate) symbols: Vec<SymbolLine>,
    /// Lines of documentation of each symbol.
    pub(crate) doc_lines: Vec<u32>,
    /// Words that it has.
    mask: u64,
}

/// What ranking found.
#[derive(Debug, Default)]
pub(crate) struct Ranking {
    /// Best first.
    pub(crate) files: Vec<RankedFile>,
    /// How many files have any of the words.
    pub(crate) file_count: usize,
}

impl Ranking {
    /// Whether a file has all the words of a question.
    pub(crate) fn has_all(&self, question: &Question) -> bool {
        let all = (1u64 << question.words.len()) - 1;
        self.files.iter().any(|file| file.mask == all)
    }
}

/// The words of a question, as far as the index knows them.
struct Sought<'q> {
    question: &'q Question,
    found: store::Found,
    /// Words of each name.
    masks: store::Masks,
    /// How much each word says.
    weights: Vec<f64>,
}

/// What is read of a file that is worth it.
pub(super) struct Opened {
    pub(super) head: FileHead,
    /// It is wanted, whatever it has.
    is_given: bool,
    pub(super) hits: Vec<NameHit>,
    pub(super) symbols: Vec<SymbolLine>,
    /// Lines of documentation of each symbol.
    pub(super) doc_lines: Vec<u32>,
    path_mask: u64,
}

/// Ranks the files of an index.
pub(crate) fn rank(
    reader: &Reader,
    question: &Question,
    conditions: &Conditions,
    mode: Mode,
    given: &[Given],
) -> Result<Ranking> {
    let wanted: Vec<Wanted> = question
        .words
        .iter()
        .map(|word| Wanted { stem: word.stem.clone(), is_prefix: word.is_prefix })
        .collect();
    let found = reader.words(&wanted)?;
    let masks = store::Masks::new(&found.words);
    let weights = weights(question, &found, mode);
    let sought = Sought { question, found, masks, weights };
    let (file_count, opened) = open(reader, &sought, conditions, given)?;
    let mut files = score(reader, &sought, conditions, mode, opened)?;
    for file in &mut files {
        let named = given.iter().find(|given| given.file == file.head.id);
        file.score += named.map_or(0.0, |given| given.bonus);
    }
    let order = |a: &RankedFile, b: &RankedFile| {
        b.score.total_cmp(&a.score).then_with(|| a.head.path.cmp(&b.head.path))
    };
    files.sort_by(order);
    if !mode.is_task {
        for file in files.iter_mut().take(COUNTED_USERS) {
            file.score *= 1.0 + USERS * f64::from(1 + users(reader, file)?).ln();
        }
        files.sort_by(order);
    }
    Ok(Ranking { files, file_count })
}

/// The fewer files have a word, the more it says.
fn weights(question: &Question, found: &store::Found, mode: Mode) -> Vec<f64> {
    let all = found.file_count as f64;
    let pairs = question.words.iter().zip(&found.words);
    pairs
        .map(|(asked, word)| {
            let files = word.files.len().max(word.paths.len()) as f64;
            let rarity = (1.0 + (all - files + 0.5) / (files + 0.5)).ln();
            let times = if mode.is_task { 1.0 + f64::from(asked.times).ln() } else { 1.0 };
            rarity * times
        })
        .collect()
}

impl Sought<'_> {
    /// Sum of the weights of the words in a mask.
    fn weigh(&self, mask: u64) -> f64 {
        bits(mask).map(|number| self.weights[number]).sum()
    }

    /// The files with any of the words, best first, by what is known without opening them.
    fn candidates(&self, reader: &Reader) -> Result<Vec<i64>> {
        let mut scores: FxHashMap<i64, f64> = FxHashMap::default();
        for (word, weight) in self.found.words.iter().zip(&self.weights) {
            for file in &word.files {
                *scores.entry(*file).or_insert(0.0) += weight;
            }
            for file in &word.paths {
                *scores.entry(*file).or_insert(0.0) += PATH_FIRST * weight;
            }
        }
        for (file, weight) in self.defining(reader)? {
            if let Some(score) = scores.get_mut(&file) {
                *score += NAME_FIRST * weight;
            }
        }
        let mut files: Vec<(i64, f64)> = scores.into_iter().collect();
        files.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Ok(files.into_iter().map(|(file, _)| file).collect())
    }

    /// For files that define a name with many of the words, the weight of the best.
    fn defining(&self, reader: &Reader) -> Result<FxHashMap<i64, f64>> {
        let mut names: Vec<(u32, f64)> =
            self.masks.iter().map(|(name, mask)| (name, self.weigh(mask))).collect();
        let order = |a: &(u32, f64), b: &(u32, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        if names.len() > NAMES {
            names.select_nth_unstable_by(NAMES, order);
            names.truncate(NAMES);
        }
        let mut best: FxHashMap<i64, f64> = FxHashMap::default();
        for (name, weight) in names {
            for file in reader.files_defining(name)? {
                let known = best.entry(file).or_insert(0.0);
                *known = known.max(weight);
            }
        }
        Ok(best)
    }
}

/// Opens the files that are worth it. Also says how many there are with any of the words.
fn open(
    reader: &Reader,
    sought: &Sought<'_>,
    conditions: &Conditions,
    given: &[Given],
) -> Result<(usize, Vec<Opened>)> {
    let mut in_path: FxHashMap<i64, u64> = FxHashMap::default();
    for (number, word) in sought.found.words.iter().enumerate() {
        for file in &word.paths {
            *in_path.entry(*file).or_insert(0) |= 1 << number;
        }
    }
    let candidates = sought.candidates(reader)?;
    let mut opened: Vec<Opened> = Vec::new();
    for file in given.iter().map(|given| &given.file).chain(&candidates) {
        if opened.len() == OPENED {
            break;
        }
        if opened.iter().take(given.len()).any(|known| known.head.id == *file) {
            continue;
        }
        let Some(head) = reader.file_head(*file)? else { continue };
        if conditions.accept_file(&head) {
            let (symbols, doc_lines) = reader.documented_lines(*file)?;
            opened.push(Opened {
                hits: reader.name_hits(*file, &sought.masks)?,
                symbols,
                doc_lines,
                path_mask: in_path.get(file).copied().unwrap_or(0),
                is_given: given.iter().any(|it| it.file == *file),
                head,
            });
        }
    }
    Ok((candidates.len(), opened))
}

/// The parts of the score of a file that are compared over all files.
#[derive(Debug, Clone, Copy)]
struct Parts {
    best: f64,
    together: f64,
    whole: f64,
}

fn score(
    reader: &Reader,
    sought: &Sought<'_>,
    conditions: &Conditions,
    mode: Mode,
    opened: Vec<Opened>,
) -> Result<Vec<RankedFile>> {
    let words = sought.weights.len();
    let lists: Vec<Vec<Unit>> =
        opened.iter().map(|file| units::of_file(file, &sought.masks, words, conditions)).collect();
    let lengths = Lengths::of(&opened, &lists);
    let mut scored = Vec::new();
    for (file, units) in opened.into_iter().zip(lists) {
        scored.extend(score_file(sought, conditions, file, &units, &lengths));
    }
    let most = scored.iter().fold([f64::MIN_POSITIVE; 3], |most, (_, parts)| {
        [most[0].max(parts.best), most[1].max(parts.together), most[2].max(parts.whole)]
    });
    let spelled = SpelledOut::new(reader, sought.question)?;
    let together = if mode.is_task { TOGETHER_FOR_TASK } else { TOGETHER };
    Ok(scored
        .into_iter()
        .map(|(mut file, parts)| {
            let mut score = parts.best / most[0]
                + together * parts.together / most[1]
                + WHOLE * parts.whole / most[2]
                + FILE_NAME * priors::share_in_name(sought.question, &file.head.path);
            if file.symbols.iter().any(|symbol| spelled.names(symbol)) {
                score += SPELLED_OUT;
            }
            let has_definitions =
                file.symbols.iter().any(|symbol| symbol.kind != SymbolKind::Section);
            file.score = score * priors::prior(sought.question, mode, &file.head, has_definitions);
            file
        })
        .collect())
}

/// Average lengths, in lines.
struct Lengths {
    unit: f64,
    file: f64,
}

impl Lengths {
    fn of(files: &[Opened], units: &[Vec<Unit>]) -> Self {
        let average = |lines: f64, count: usize| (lines / count.max(1) as f64).max(1.0);
        let count = units.iter().map(Vec::len).sum::<usize>();
        let unit_lines: f64 = units.iter().flatten().map(|unit| f64::from(unit.lines)).sum();
        let file_lines: f64 = files.iter().map(|file| f64::from(file.head.line_count)).sum();
        Self { unit: average(unit_lines, count), file: average(file_lines, files.len()) }
    }
}

/// None if nothing in the file is what was asked for.
fn score_file(
    sought: &Sought<'_>,
    conditions: &Conditions,
    file: Opened,
    units: &[Unit],
    lengths: &Lengths,
) -> Option<(RankedFile, Parts)> {
    let in_path = |number: usize| if file.path_mask & 1 << number != 0 { PATH } else { 0.0 };
    let mut whole = vec![0.0; sought.weights.len()];
    let mut scored: Vec<(f64, Option<usize>)> = Vec::new();
    let mut all = 0;
    for unit in units {
        let mask = unit.mask | file.path_mask;
        let is_asked = sought.question.need.as_ref().is_none_or(|need| need.is_met(mask));
        let symbol = unit.symbol.map(|number| &file.symbols[number]);
        if !is_asked || !conditions.accept_symbol(&file.head, symbol) {
            continue;
        }
        let length = relative(unit.lines, lengths.unit);
        let mut score = 0.0;
        for number in bits(mask) {
            let named = if unit.named & 1 << number != 0 { NAME } else { 0.0 };
            let frequency = named + unit.texts[number] / length + in_path(number);
            whole[number] += named + unit.texts[number];
            score += sought.weights[number] * saturate(frequency);
        }
        scored.push((score, unit.symbol));
        all |= mask;
    }
    if scored.is_empty() {
        if !file.is_given {
            return None;
        }
        scored.push((0.0, None));
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let length = relative(file.head.line_count, lengths.file);
    let of_word = |(number, weight): (usize, &f64)| {
        weight * saturate(whole[number] / length + in_path(number))
    };
    let parts = Parts {
        best: scored[0].0,
        together: scored.iter().take(COUNTED).map(|(score, _)| score).sum(),
        whole: sought.weights.iter().enumerate().map(of_word).sum(),
    };
    let ranked = RankedFile {
        head: file.head,
        score: 0.0,
        units: scored,
        symbols: file.symbols,
        doc_lines: file.doc_lines,
        mask: all,
    };
    Some((ranked, parts))
}

/// Names that the question spells out: identifiers, and words with a capital where a type has that name.
struct SpelledOut {
    identifiers: FxHashSet<u32>,
    types: FxHashSet<u32>,
}

impl SpelledOut {
    fn new(reader: &Reader, question: &Question) -> Result<Self> {
        let ids = |names: &[String]| -> Result<FxHashSet<u32>> {
            let found = names.iter().map(|name| reader.name_id(last_part(name)));
            found.filter_map(Result::transpose).collect()
        };
        Ok(Self { identifiers: ids(&question.identifiers)?, types: ids(&question.capitalized)? })
    }

    fn names(&self, symbol: &SymbolLine) -> bool {
        let kind = symbol.kind;
        kind.is_type() && symbol.owner.is_none() && self.types.contains(&symbol.name)
            || (kind.is_type() || kind.is_callable()) && self.identifiers.contains(&symbol.name)
    }
}

/// How many files use what a file defines, by its most used definition.
fn users(reader: &Reader, file: &RankedFile) -> Result<u32> {
    let Some(path) = reader.name_id(&file.head.path)? else { return Ok(0) };
    let outermost = file.symbols.iter().filter(|symbol| symbol.owner.is_none()).take(50);
    reader.most_users(path, outermost.map(|symbol| symbol.name))
}

pub(super) fn bits(mask: u64) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let bit = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

fn relative(lines: u32, average: f64) -> f64 {
    1.0 - LENGTH + LENGTH * f64::from(lines) / average
}

fn saturate(frequency: f64) -> f64 {
    frequency * (SATURATION + 1.0) / (frequency + SATURATION)
}
