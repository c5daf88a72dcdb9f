//! What fits into a budget: for each symbol the level of detail that gives most for its tokens.

/// How much of a symbol is told. Each level holds what the ones before it hold.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    Name,
    Signature,
    Docs,
    KeyLines,
    Body,
}

pub(super) const LEVELS: [Level; 5] =
    [Level::Name, Level::Signature, Level::Docs, Level::KeyLines, Level::Body];

/// Share of what there is to know that each level tells.
const TOLD: [f64; 5] = [0.4, 0.6, 0.7, 0.85, 1.0];

/// One symbol that may be told.
#[derive(Debug)]
pub(super) struct Candidate {
    /// How much it matters.
    pub(super) value: f64,
    /// Tokens of each level; `None` where a level says nothing new.
    pub(super) costs: [Option<usize>; 5],
    /// Which file it is of.
    pub(super) file: usize,
}

/// Chooses a level for each candidate, or none, within a budget. `file_cost` is what it takes to name a
/// file for the first time.
pub(super) fn choose(
    candidates: &[Candidate],
    file_costs: &[usize],
    budget: usize,
) -> Vec<Option<Level>> {
    let mut chosen: Vec<Option<usize>> = vec![None; candidates.len()];
    let mut is_named = vec![false; file_costs.len()];
    let mut left = budget;
    loop {
        let mut best: Option<(f64, usize, usize, usize)> = None;
        for (number, candidate) in candidates.iter().enumerate() {
            let (told, paid) = match chosen[number] {
                Some(level) => (TOLD[level], candidate.costs[level].unwrap_or(0)),
                None => (0.0, 0),
            };
            let first = chosen[number].map_or(0, |level| level + 1);
            for (level, share) in TOLD.iter().enumerate().skip(first) {
                let Some(cost) = candidate.costs[level] else { continue };
                let naming = if is_named[candidate.file] { 0 } else { file_costs[candidate.file] };
                let more = (cost + naming).saturating_sub(paid);
                if more > left {
                    continue;
                }
                let rate = candidate.value * (share - told) / more.max(1) as f64;
                if best.is_none_or(|(known, ..)| rate > known) {
                    best = Some((rate, number, level, more));
                }
            }
        }
        let Some((_, number, level, more)) = best else { break };
        chosen[number] = Some(level);
        is_named[candidates[number].file] = true;
        left -= more;
    }
    chosen.into_iter().map(|level| level.map(|level| LEVELS[level])).collect()
}

#[cfg(test)]
mod tests {
    use super::{Candidate, Level, choose};

    fn candidate(value: f64, file: usize, body: usize) -> Candidate {
        Candidate { value, file, costs: [Some(5), Some(10), None, Some(30), Some(body)] }
    }

    #[test]
    fn the_budget_is_kept_and_the_best_is_told_most() {
        let candidates = [candidate(1.0, 0, 40), candidate(0.5, 0, 400), candidate(0.1, 1, 50)];
        let chosen = choose(&candidates, &[6, 6], 70);
        assert_eq!(chosen, [Some(Level::Body), Some(Level::Signature), Some(Level::Name)]);
        assert_eq!(choose(&candidates, &[6, 6], 5), [None, None, None]);
        let all = choose(&candidates, &[6, 6], 10_000);
        assert!(all.iter().all(|level| *level == Some(Level::Body)));
    }
}
