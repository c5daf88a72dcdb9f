//! Lists the recipes of the repository, so that they become part of the program.

use std::fmt::Write;
use std::path::Path;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../recipes");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = std::fs::read_dir(&folder).expect("the repository has a folder of recipes");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "sql"))
        .collect();
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        let id = file.file_stem().expect("it has a name").to_string_lossy().into_owned();
        let path = file.canonicalize().expect("it exists");
        writeln!(list, "    ({id:?}, include_str!({:?})),", path.display().to_string())
            .expect("a string takes everything");
    }
    list.push_str("]\n");
    let out = std::env::var("OUT_DIR").expect("cargo says where to write");
    std::fs::write(Path::new(&out).join("recipes.rs"), list).expect("the list can be written");
}
