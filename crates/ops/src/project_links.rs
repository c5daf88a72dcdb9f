//! Linking projects: whose index is looked through besides this one's.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use ::index::Project;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::linked::{own_data, own_data_to_write};
use crate::text::{self, Page, styled};
use crate::workspace::unusable;
use crate::{Effect, Error, Kind, LinkedProject, Operation, Result, Workspace};

/// Look through another project too
///
/// It must have an index. Its symbols and lines appear in `find`, `show` and the questions about links,
/// labelled with its name. Nothing is ever written there.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct LinkInput {
    /// Directory of the other project
    pub directory: PathBuf,
    /// What its results are labelled with; the name of the directory unless said
    #[arg(long)]
    pub name: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct LinkOutput {
    pub id: i64,
    pub name: String,
    pub root: String,
    /// Files in its index.
    pub files_available: u64,
}

#[derive(Debug)]
pub struct Link;

impl Operation for Link {
    const NAME: &'static str = "link";
    const EXAMPLES: &'static str = "\
  groma link ../shop-core                 its results are labelled `shop-core`
  groma link ~/code/proto --name schema";
    const EFFECT: Effect = Effect::Adds;
    type Input = LinkInput;
    type Output = LinkOutput;

    fn run(workspace: &Workspace, input: LinkInput) -> Result<LinkOutput> {
        let project = workspace.project()?;
        let (other, reader) = workspace.open_index(&input.directory).map_err(|reason| {
            let directory = input.directory.display();
            Error::new(Kind::NotFound, format!("{directory} cannot be linked: {reason}")).hint(
                "Run `groma index` there first; `groma projects scan` finds those with an index.",
            )
        })?;
        if other.root == project.root {
            return Err(Error::new(Kind::Usage, "a project is not linked to itself"));
        }
        let root = other.root.to_string_lossy().into_owned();
        let mut data = own_data_to_write(&project)?;
        let known = data.links().map_err(unusable)?;
        let name = match known.iter().find(|link| link.root == root) {
            Some(link) => link.name.clone(),
            None => free_name(&other, input.name.as_deref(), &known)?,
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis());
        let link = data
            .add_link(&name, &root, i64::try_from(now).unwrap_or_default())
            .map_err(unusable)?;
        Ok(LinkOutput {
            id: link.id,
            name: link.name,
            root,
            files_available: file_count(&reader).map_err(unusable)?,
        })
    }

    fn render(output: &LinkOutput, page: &mut Page) {
        page.line(format!(
            "{} {}  {} · {} files",
            styled(text::HEADING, "linked"),
            text::visible(&output.name),
            styled(text::PATH, &text::visible(&output.root)),
            text::count(output.files_available)
        ));
    }
}

/// A name that no other link has.
fn free_name(other: &Project, wanted: Option<&str>, known: &[store::Link]) -> Result<String> {
    let is_taken = |name: &str| known.iter().any(|link| link.name == name);
    if let Some(wanted) = wanted {
        let is_name = !wanted.trim().is_empty()
            && wanted.len() <= 64
            && !wanted.contains(|c: char| c.is_control() || c == ':' || c == '/');
        if !is_name {
            return Err(Error::new(Kind::Usage, "a name has 1 to 64 letters, no `:` and no `/`"));
        }
        if is_taken(wanted) {
            let message = format!("`{wanted}` is the name of another linked project");
            return Err(Error::new(Kind::Usage, message).hint("`groma links` lists them."));
        }
        return Ok(wanted.to_owned());
    }
    let name = other.root.file_name().map_or("project".into(), |name| name.to_string_lossy());
    let name = text::one_line(&name.replace(':', "-"), 60);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    Ok(names.find(|name| !is_taken(name)).expect("there is always a next number"))
}

fn file_count(reader: &store::Reader) -> store::rusqlite::Result<u64> {
    let sql = "SELECT count(*) FROM files WHERE status <> 'skipped'";
    reader.connection().query_row(sql, [], |row| row.get::<_, i64>(0)).map(i64::unsigned_abs)
}

/// Look through a project no longer
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct UnlinkInput {
    /// Name, id or directory of the linked project
    pub project: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct UnlinkOutput {
    pub id: i64,
    pub name: String,
    pub root: String,
}

#[derive(Debug)]
pub struct Unlink;

impl Operation for Unlink {
    const NAME: &'static str = "unlink";
    const EXAMPLES: &'static str = "\
  groma unlink shop-core
  groma unlink ../shop-core";
    const EFFECT: Effect = Effect::Destroys;
    type Input = UnlinkInput;
    type Output = UnlinkOutput;

    fn run(workspace: &Workspace, input: UnlinkInput) -> Result<UnlinkOutput> {
        let project = workspace.project()?;
        let known = match own_data(&project)? {
            Some(data) => data.links().map_err(unusable)?,
            None => Vec::new(),
        };
        let wanted = input.project.trim();
        let path = workspace.directory()?.join(wanted);
        let path = std::fs::canonicalize(&path).unwrap_or(path);
        let is_meant = |link: &&store::Link| {
            link.name == wanted || link.id.to_string() == wanted || Path::new(&link.root) == path
        };
        let Some(link) = known.iter().find(is_meant) else {
            let names: Vec<&str> = known.iter().map(|link| link.name.as_str()).collect();
            let message = format!("`{}` is not linked", text::one_line(wanted, 100));
            return Err(Error::new(Kind::NotFound, message).hint(match names.as_slice() {
                [] => "No project is.".to_owned(),
                names => format!("Linked are {}.", names.join(", ")),
            }));
        };
        own_data_to_write(&project)?.remove_link(link.id).map_err(unusable)?;
        Ok(UnlinkOutput { id: link.id, name: link.name.clone(), root: link.root.clone() })
    }

    fn render(output: &UnlinkOutput, page: &mut Page) {
        page.line(format!("{} {}", styled(text::HEADING, "unlinked"), text::visible(&output.name)));
    }
}

/// List the projects that are looked through too
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct LinksInput {}

#[derive(Debug, Serialize, JsonSchema)]
pub struct LinksOutput {
    pub links: Vec<Linked>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Linked {
    pub id: i64,
    pub name: String,
    pub root: String,
    /// `ok`, or why it cannot be looked through.
    pub status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<u64>,
    /// Milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed_at: Option<u64>,
}

#[derive(Debug)]
pub struct Links;

impl Operation for Links {
    const NAME: &'static str = "links";
    const EXAMPLES: &'static str = "\
  groma links
  groma links --json";
    type Input = LinksInput;
    type Output = LinksOutput;
    const LIST: Option<&'static str> = Some("links");

    fn run(workspace: &Workspace, _: LinksInput) -> Result<LinksOutput> {
        workspace.project()?.check_state()?;
        Ok(LinksOutput { links: workspace.linked().iter().map(listed).collect() })
    }

    fn render(output: &LinksOutput, page: &mut Page) {
        if output.links.is_empty() {
            return page.line("no project is linked");
        }
        let row = |linked: &Linked| {
            vec![
                text::visible(&linked.name),
                text::visible(&linked.root),
                linked.files.map(text::count).unwrap_or_default(),
                text::one_line(&linked.status, 160),
            ]
        };
        let rows: Vec<Vec<String>> = output.links.iter().map(row).collect();
        page.table(&["name", "root", "files", "status"], &rows);
    }
}

fn listed(linked: &LinkedProject) -> Linked {
    let (status, files, indexed_at) = match &linked.opened {
        Ok((_, reader)) => (
            "ok".to_owned(),
            file_count(reader).ok(),
            reader.meta("indexed_at").and_then(|text| text.parse().ok()),
        ),
        Err(reason) => (reason.clone(), None, None),
    };
    let root = linked.root.to_string_lossy().into_owned();
    Linked { id: linked.id, name: linked.name.clone(), root, status, files, indexed_at }
}
