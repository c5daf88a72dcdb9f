//! The annotated cases in `languages/*/links`.

use std::path::Path;

#[test]
fn links_lead_where_the_annotations_say() {
    let languages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../languages");
    let mut failures = Vec::new();
    let mut expected = 0;
    let mut cases: Vec<_> = std::fs::read_dir(&languages)
        .expect("the languages are there")
        .flat_map(|language| {
            let folder = language.expect("it can be listed").path().join("links");
            std::fs::read_dir(folder).into_iter().flatten()
        })
        .map(|case| case.expect("it can be listed").path())
        .filter(|case| case.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    cases.sort();
    for case in &cases {
        let text = std::fs::read_to_string(case).expect("a case is text");
        let checked = groma_testkit::links::check(&text);
        expected += checked.expected;
        let name = case.strip_prefix(&languages).expect("it lies below").display().to_string();
        failures.extend(checked.failures.into_iter().map(|failure| format!("{name}: {failure}")));
    }
    assert!(expected > 0, "no case was found");
    assert!(failures.is_empty(), "{} of {expected} fail:\n{}", failures.len(), failures.join("\n"));
}
