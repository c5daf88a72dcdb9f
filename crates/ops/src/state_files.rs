//! Plain files in the state directory that people read and write too.

use std::io::Write;

use ::index::Project;

use crate::{Error, Kind, Result};

/// The text of a file in the state directory; none if there is none.
pub(crate) fn read(project: &Project, name: &str) -> Result<Option<String>> {
    project.check_state()?;
    ::index::read::read_small_file(&project.state.join(name))
}

/// Puts a text in the place of a file, all at once: whoever reads sees the old one or the new one. Nothing
/// is written if it is the same.
pub(crate) fn write(project: &Project, name: &str, text: &str) -> Result<bool> {
    project.prepare_state()?;
    if read(project, name)?.as_deref() == Some(text) {
        return Ok(false);
    }
    let path = project.state.join(name);
    let new = project.state.join(format!("{name}.{}.new", std::process::id()));
    let written = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&new)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&new, &path));
    written.map(|()| true).map_err(|error| {
        let _ = std::fs::remove_file(&new);
        Error::new(Kind::Io, format!("cannot write {}: {error}", path.display()))
    })
}
