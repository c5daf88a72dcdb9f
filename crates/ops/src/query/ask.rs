//! From SQL to rows: the sandbox, what is said when it fails, and answers that are not stale.

use std::time::Duration;

use ::index::{Config, Project};
use serde_json::Value;
use store::sandbox::{BoundaryRule, Failure, Limits, Rows, Sandbox};

use super::places;
use crate::linked::own_data;
use crate::{Error, Kind, Result, Workspace};

/// Asks one project.
pub(crate) struct Asker<'w> {
    workspace: &'w Workspace,
    pub(crate) project: Project,
    pub(crate) config: Config,
    sandbox: Sandbox,
    /// Whether the whole project was looked at for changes.
    is_fresh: bool,
    /// Whether rows that were given name files that have changed since they were indexed.
    pub(crate) is_stale: bool,
}

/// Where nothing is brought up to date, so many files are looked at to say whether the answer is stale.
const LOOKED_AT: usize = 200;

impl<'w> Asker<'w> {
    pub(crate) fn open(workspace: &'w Workspace) -> Result<Self> {
        let project = workspace.project()?;
        let config = workspace.config(&project)?;
        let sandbox = shut_in(workspace, &project, &config)?;
        Ok(Self { workspace, project, config, sandbox, is_fresh: false, is_stale: false })
    }

    /// Runs a statement. If files that its rows name have changed, or if it names none and something
    /// may be new, the index is brought up to date and the statement run again.
    pub(crate) fn ask(
        &mut self,
        sql: &str,
        parameters: &[(String, Value)],
        limits: &Limits,
    ) -> Result<Rows> {
        let rows = self.run(sql, parameters, limits)?;
        if !self.workspace.refresh {
            let mut paths = places::paths(&rows);
            paths.truncate(LOOKED_AT);
            self.is_stale |= !self.workspace.stale(&paths)?.is_empty();
            return Ok(rows);
        }
        if !self.bring_up_to_date(&rows)? {
            return Ok(rows);
        }
        self.workspace.seen.forget();
        self.sandbox = shut_in(self.workspace, &self.project, &self.config)?;
        self.run(sql, parameters, limits)
    }

    /// Runs a statement on the index as it is.
    pub(crate) fn run(
        &mut self,
        sql: &str,
        parameters: &[(String, Value)],
        limits: &Limits,
    ) -> Result<Rows> {
        if self.sandbox.is_lost() {
            self.sandbox = shut_in(self.workspace, &self.project, &self.config)?;
        }
        self.sandbox.run(sql, parameters, limits).map_err(|failure| said(failure, sql))
    }

    fn bring_up_to_date(&mut self, rows: &Rows) -> Result<bool> {
        if self.is_fresh {
            return Ok(false);
        }
        let paths = places::paths(rows);
        if paths.is_empty() {
            self.is_fresh = true;
            // A watcher has taken in all but what was written just now.
            let is_watched = ::index::watch::state(&self.project) == "active";
            return Ok(!is_watched && self.workspace.update(None));
        }
        let stale = self.workspace.stale(&paths)?;
        let is_current = stale.is_empty() || self.workspace.update(Some(&stale));
        self.is_stale |= !is_current;
        Ok(!stale.is_empty() && is_current)
    }
}

fn shut_in(workspace: &Workspace, project: &Project, config: &Config) -> Result<Sandbox> {
    let (_, reader) = workspace.reader()?;
    // Data that is not this user's own is nothing to answer from.
    let data = own_data(project).ok().flatten().filter(store::UserData::has_findings);
    let path = data.map(|_| project.user_file());
    let rules: Vec<BoundaryRule> = config
        .boundaries
        .iter()
        .map(|boundary| BoundaryRule {
            name: boundary.name.clone(),
            from_glob: boundary.from.clone(),
            to_glob: boundary.to.clone(),
            action: boundary.action.word().to_owned(),
        })
        .collect();
    Sandbox::new(reader, path.as_deref(), &rules, workspace.interrupted.clone())
        .map_err(crate::workspace::unusable)
}

/// A failure for people, and a word for programs.
fn said(failure: Failure, sql: &str) -> Error {
    let message = failure.to_string();
    match failure {
        Failure::Refused(_) => Error::new(Kind::Refused, message).code("not_read_only").hint(
            "Use SELECT on the tables of `groma schema`; the index is made by `groma index`.",
        ),
        Failure::Parameters(_) => Error::new(Kind::Usage, message)
            .code("bad_params")
            .hint("Parameters belong to recipes: `groma recipes show <id>` lists them."),
        Failure::Limit(_) => Error::new(Kind::Limit, message)
            .code("sql_limit")
            .hint("Ask for less at once: `groma schema` says what is allowed."),
        Failure::Timeout(_) => Error::new(Kind::Limit, message)
            .code("timeout")
            .hint("Narrow the question, or give it longer with --timeout (seconds, at most 30)."),
        Failure::Memory => Error::new(Kind::Limit, message)
            .code("too_big")
            .hint("Narrow the question: sorting and grouping keep their rows in memory."),
        Failure::Interrupted => Error::new(Kind::Interrupted, message),
        Failure::Sqlite(error) => Error::unreadable(&error),
        Failure::Sql { message, offset } => bad_sql(&message, offset, sql),
    }
}

fn bad_sql(message: &str, offset: Option<usize>, sql: &str) -> Error {
    let message = match offset.filter(|_| !message.starts_with("no such table")) {
        Some(offset) => format!("{message} (at character {})", character(sql, offset) + 1),
        None => message.to_owned(),
    };
    let relations = crate::schema::relations();
    let after = |start: &str| message.strip_prefix(start).and_then(|rest| rest.split(' ').next());
    let hint = if let Some(table) = after("no such table: ") {
        let names = relations.iter().map(|relation| relation.name.as_str());
        let table = table.rsplit('.').next().unwrap_or(table);
        did_you_mean(
            super::nearest(table, names),
            "`groma schema` lists the tables; an older index is rebuilt by `groma index --full`.",
        )
    } else if let Some(column) = after("no such column: ") {
        let (alias, column) = column.rsplit_once('.').unwrap_or(("", column));
        let used = store::sandbox::words(sql);
        let is_used = |name: &str| used.iter().any(|word| word.text.eq_ignore_ascii_case(name));
        let mut tables: Vec<_> =
            relations.iter().filter(|relation| is_used(&relation.name)).collect();
        // `lines` is a table, too.
        if tables.len() > 1 {
            tables.retain(|relation| !relation.name.eq_ignore_ascii_case(column));
        }
        if tables.iter().any(|relation| is_called(&relation.name, alias, &used)) {
            tables.retain(|relation| is_called(&relation.name, alias, &used));
        }
        let columns = tables
            .iter()
            .flat_map(|relation| relation.columns.iter().map(|column| column.name.as_str()));
        let nearest = super::nearest(column, columns);
        let known = |column: &store::documentation::Column| Some(&column.name) == nearest.as_ref();
        let its_table = tables.iter().find(|table| table.columns.iter().any(known));
        let rest = match its_table.or(tables.first()) {
            Some(table) => format!(
                "`groma schema {}` lists its columns; an older index is rebuilt by `groma index --full`.",
                table.name
            ),
            None => "`groma schema` lists tables and columns.".to_owned(),
        };
        did_you_mean(nearest, &rest)
    } else {
        "One SELECT statement in SQLite's dialect is expected; `groma schema` lists the tables."
            .to_owned()
    };
    let error = Error::new(Kind::Usage, message).hint(hint);
    let is_match = ["fts5:", "unterminated string", "unknown special query"]
        .iter()
        .any(|start| error.message.starts_with(start));
    if is_match { error.code("bad_match") } else { error }
}

/// Whether a statement calls a table so: by its name, or `table AS alias`.
fn is_called(table: &str, alias: &str, words: &[store::sandbox::Word<'_>]) -> bool {
    let same = |word: Option<&store::sandbox::Word<'_>>, text: &str| {
        word.is_some_and(|word| word.text.eq_ignore_ascii_case(text))
    };
    table.eq_ignore_ascii_case(alias)
        || (0..words.len()).any(|at| {
            let behind = at + 1 + usize::from(same(words.get(at + 1), "as"));
            same(words.get(at), table) && same(words.get(behind), alias)
        })
}

fn did_you_mean(nearest: Option<String>, rest: &str) -> String {
    match nearest {
        Some(nearest) => format!("Did you mean `{nearest}`? {rest}"),
        None => rest.to_owned(),
    }
}

/// Characters before a byte.
fn character(sql: &str, byte: usize) -> usize {
    sql.char_indices().take_while(|(at, _)| *at < byte).count()
}

/// Seconds as they may be asked for.
pub(crate) fn time_limit(seconds: Option<f64>) -> Result<Duration> {
    let Some(seconds) = seconds else { return Ok(Limits::default().time) };
    if seconds.is_finite() && seconds > 0.0 && seconds <= 30.0 {
        return Ok(Duration::from_secs_f64(seconds));
    }
    Err(Error::new(Kind::Usage, "--timeout is a number of seconds, more than 0 and at most 30"))
}
