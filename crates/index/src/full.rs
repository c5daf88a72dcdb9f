//! The index from nothing: every file, published at the end or not at all.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::time::Instant;

use store::Writer;

use crate::Job;
use crate::error::Error;
use crate::project::Project;
use crate::quarantine::Quarantine;
use crate::report::Report;
use crate::repository::Repository;
use crate::survey::Survey;
use crate::walk;

/// Builds the whole index and publishes it. If it fails or is interrupted, the old one stays. The
/// caller holds the lock of the writer.
pub(crate) fn build(
    job: &Job<'_>,
    generation: u64,
    quarantine: &Quarantine,
    mark: &[(&'static str, String)],
) -> Result<Report, Error> {
    let started = Instant::now();
    let building = Building::create(job.project)?;

    job.progress.phase("collect", 0);
    let found = walk::walk(job.project, job.config, None)?;
    let collected = started.elapsed();

    job.progress.phase("extract", found.len() as u64);
    let mut report = Report { generation, ..Report::default() };
    let mut writer = Writer::create(&building.path)?;
    let survey = Survey { config: job.config, quarantine, interrupted: job.interrupted };
    survey.run(&found, job.pool, &mut |surveyed| {
        let (row, text) = (&surveyed.row, surveyed.text.as_deref());
        writer.add(row, surveyed.facts.as_deref(), text)?;
        report.time(&row.path, surveyed.time);
        job.progress.advance(surveyed.number as u64 + 1);
        Ok(())
    })?;
    let extracted = started.elapsed();

    job.progress.phase("link", 0);
    report.linked = writer.link(&mut job.link_watcher())?;
    let linked = started.elapsed();

    job.progress.phase("indexes", 0);
    let mut meta = Job { only: None, ..*job }.meta();
    meta.push(("generation", generation.to_string()));
    meta.extend_from_slice(mark);
    let (census, names) = writer.finish(&meta)?;
    report.count(census);
    report.totals.names = names;
    let indexed = started.elapsed();

    job.progress.phase("publish", 0);
    store::publish(&building.path, &job.project.index_file())?;
    report.total = started.elapsed();
    report.phases = vec![
        ("collect", collected),
        ("extract", extracted - collected),
        ("link", linked - extracted),
        ("indexes", indexed - linked),
        ("publish", report.total - indexed),
    ];
    Ok(report)
}

/// Starts from the index of another working tree of the same repository, if there is one that can be
/// used: what is the same in both is not extracted again.
pub(crate) fn adopt(project: &Project) -> Option<()> {
    let state = project.state.strip_prefix(&project.root).ok()?;
    let repository = Repository::around(&project.root)?;
    // A tree that does not know of the repository itself is not one of its trees.
    let others = repository.working_trees().into_iter().filter(|tree| {
        *tree != project.root && Repository::around(tree).is_some_and(|it| it.is_same(&repository))
    });
    let index = others
        .map(|tree| (tree.join(state).join("index.db"), tree))
        .find(|(index, tree)| is_usable(index, tree))?
        .0;
    let building = Building::create(project).ok()?;
    store::copy(&index, &building.path).ok()?;
    store::publish(&building.path, &project.index_file()).ok()
}

/// Whether an index is one of this extractor, and of this tree.
fn is_usable(index: &Path, tree: &Path) -> bool {
    store::Reader::open(index).is_ok_and(|reader| {
        reader.meta("extractor_version").as_deref() == Some(languages::extractor())
            && reader.meta("root").as_deref() == tree.to_str()
            && crate::owner::is_own(|key| reader.try_meta(key)).unwrap_or(false)
    })
}

/// The database while it is being built; removed unless it was published.
struct Building {
    path: PathBuf,
}

/// Removes what a build left that was killed. The caller holds the lock of the writer.
pub(crate) fn clear_away(project: &Project) {
    Building::at(project).remove();
}

impl Building {
    fn at(project: &Project) -> Self {
        Self { path: project.state.join("index.db.building") }
    }

    fn create(project: &Project) -> Result<Self, Error> {
        let this = Self::at(project);
        // What a repository says is nobody else's business; the log of the database has the same mode.
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        options
            .open(&this.path)
            .map_err(|error| Error::io(format!("cannot create {}", this.path.display()), &error))?;
        Ok(this)
    }

    fn remove(&self) {
        for suffix in ["", "-journal", "-wal", "-shm"] {
            let mut name = self.path.clone().into_os_string();
            name.push(suffix);
            let _ = std::fs::remove_file(name);
        }
    }
}

impl Drop for Building {
    fn drop(&mut self) {
        self.remove();
    }
}
