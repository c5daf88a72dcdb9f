//! How many references lead somewhere, by language: the worklist of whoever improves linking.

use schemars::JsonSchema;
use serde::Serialize;
use store::Reader;
use store::rusqlite;

use crate::text::{self, Page, styled};

#[derive(Debug, Serialize, JsonSchema)]
pub struct LinkReport {
    pub languages: Vec<Language>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Language {
    pub language: String,
    pub references: u64,
    /// By outcome, or by rung of those that lead to a symbol; the largest first.
    pub outcomes: Vec<Share>,
    /// Names that lead nowhere most often, with the reason.
    pub causes: Vec<Cause>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Share {
    pub outcome: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    pub count: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Cause {
    pub why: String,
    pub role: String,
    pub name: String,
    pub count: u64,
}

const CAUSES: usize = 8;

pub(crate) fn report(reader: &Reader) -> rusqlite::Result<LinkReport> {
    let mut languages: Vec<Language> = Vec::new();
    let connection = reader.connection();
    let mut statement = connection.prepare(
        "SELECT f.language, l.outcome, l.how, l.why, count(*) AS n
         FROM links AS l JOIN file AS f ON f.id = l.file_id
         GROUP BY 1, 2, 3, 4 ORDER BY 1, n DESC",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let language: String = row.get(0)?;
        if languages.last().is_none_or(|last| last.language != language) {
            languages.push(Language {
                language,
                references: 0,
                outcomes: Vec::new(),
                causes: Vec::new(),
            });
        }
        let Some(last) = languages.last_mut() else { continue };
        let count = row.get::<_, i64>(4)?.unsigned_abs();
        last.references += count;
        last.outcomes.push(Share {
            outcome: row.get(1)?,
            how: row.get(2)?,
            why: row.get(3)?,
            count,
        });
    }
    let mut statement = connection.prepare(
        "SELECT f.language, l.why, l.role, l.name, count(*) AS n
         FROM links AS l JOIN file AS f ON f.id = l.file_id
         WHERE l.outcome = 'unresolved' AND l.role IN ('call', 'type', 'extends', 'implements')
         GROUP BY 1, 2, 3, 4 ORDER BY 1, n DESC, 4, 2, 3",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let name = row.get_ref(0)?.as_str()?;
        let Some(language) = languages.iter_mut().find(|known| known.language == name) else {
            continue;
        };
        if language.causes.len() < CAUSES {
            language.causes.push(Cause {
                why: row.get(1)?,
                role: row.get(2)?,
                name: row.get(3)?,
                count: row.get::<_, i64>(4)?.unsigned_abs(),
            });
        }
    }
    languages.sort_by_key(|language| std::cmp::Reverse(language.references));
    Ok(LinkReport { languages })
}

pub(crate) fn render(report: &LinkReport, page: &mut Page) {
    for (number, language) in report.languages.iter().enumerate() {
        if number > 0 {
            page.blank();
        }
        page.line(format!(
            "{}  {} references",
            styled(text::HEADING, &language.language),
            text::count(language.references)
        ));
        for share in &language.outcomes {
            let detail = share.how.as_deref().or(share.why.as_deref()).unwrap_or_default();
            page.line(format!(
                "  {:>5.1} %  {:<11} {}",
                share.count as f64 * 100.0 / language.references.max(1) as f64,
                share.outcome,
                styled(text::DIM, detail),
            ));
        }
        for cause in &language.causes {
            page.line(styled(
                text::DIM,
                &format!(
                    "  {:>6} × {} {} ({})",
                    text::count(cause.count),
                    cause.role,
                    text::visible(&cause.name),
                    cause.why
                ),
            ));
        }
    }
}
