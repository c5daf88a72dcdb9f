//! The same files give the same index, however many workers there are and whichever ends first.

use crate::dump;
use crate::project::{NEIGHBOURS, Project};

#[test]
fn any_number_of_workers_gives_the_same_rows() {
    let project = Project::with(NEIGHBOURS);
    for number in 0..40 {
        // Files of very different size end in another order than they begin.
        let lines = if number % 7 == 0 { 400 } else { 3 };
        let rust: String = (0..lines)
            .map(|line| {
                format!(
                    "/// Item {line}.\npub fn item_{number}_{line}(x: u32) -> u32 {{ helper(x) }}\n"
                )
            })
            .collect();
        project.write(&format!("src/m{number}/lib.rs"), rust);
        project.write(
            &format!("src/m{number}/util.py"),
            format!("class Item{number}:\n    def shared(self): return {number}\n"),
        );
    }
    project.write("broken.rs", "fn ( { struct ]\n");
    project.write("latin.py", b"# caf\xe9 au lait, un peu de texte\nx = 1\n");
    project.write("image.png", [0x89, b'P', b'N', b'G', 0, 0]);
    let mut known: Option<(_, _)> = None;
    for workers in ["1", "2", "8", "8", "2", "1"] {
        project.index_with(&["--full", "--workers", workers, "--with-fts"]);
        let found = (dump::dump(&project, ""), dump::raw(&project));
        assert!(found.0["symbols"].len() > 2000, "the project is not worth comparing");
        match &known {
            None => known = Some(found),
            Some((public, raw)) => {
                dump::assert_equal(public, &found.0);
                dump::assert_equal(raw, &found.1);
            }
        }
    }
}

#[test]
fn where_the_project_stands_changes_no_row() {
    let (one, other) = (Project::with(NEIGHBOURS), Project::with(NEIGHBOURS));
    one.index();
    other.index();
    assert_ne!(one.root(), other.root());
    dump::assert_equal(&dump::dump(&one, ""), &dump::dump(&other, ""));
}
