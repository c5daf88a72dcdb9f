//! Questions to the graph: impact, paths, hierarchies.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::Value;

use crate::project::Project;

fn ask(project: &Project, arguments: &[&str]) -> Value {
    let mut all = arguments.to_vec();
    all.push("--json");
    let outcome = project.groma(&all);
    assert_eq!(outcome.status, Some(0), "{arguments:?}: {outcome:?}");
    outcome.json()
}

/// Functions `f0`, `f1`, … in several files; an edge is a call.
struct Calls {
    project: Project,
    edges: BTreeMap<usize, BTreeSet<usize>>,
}

impl Calls {
    fn random(count: usize, edge_count: usize, seed: u64) -> Self {
        let mut state = seed;
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let mut edges: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for _ in 0..edge_count {
            let (from, to) = (random(count), random(count));
            edges.entry(from).or_default().insert(to);
        }
        let files = 4;
        let project = Project::new();
        for file in 0..files {
            let mut text = String::new();
            for other in (0..files).filter(|other| *other != file) {
                text += &format!("from m{other} import *\n");
            }
            for function in (0..count).filter(|function| function % files == file) {
                text += &format!("def f{function}():\n");
                for callee in edges.get(&function).into_iter().flatten() {
                    text += &format!("    f{callee}()\n");
                }
                text += "    return 0\n";
            }
            project.write(&format!("m{file}.py"), text);
        }
        project.index();
        Self { project, edges }
    }

    /// Distances from one function, along calls or against them.
    fn distances(&self, from: usize, up: bool) -> BTreeMap<String, u64> {
        let mut distances = BTreeMap::from([(from, 0)]);
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            let next: Vec<usize> = match up {
                true => self
                    .edges
                    .iter()
                    .filter(|(_, to)| to.contains(&at))
                    .map(|(from, _)| *from)
                    .collect(),
                false => self.edges.get(&at).into_iter().flatten().copied().collect(),
            };
            for other in next {
                if !distances.contains_key(&other) {
                    distances.insert(other, distances[&at] + 1);
                    queue.push_back(other);
                }
            }
        }
        distances.remove(&from);
        distances
            .into_iter()
            .map(|(function, distance)| (format!("f{function}"), distance))
            .collect()
    }
}

fn found(answer: &Value) -> BTreeMap<String, u64> {
    let matches = answer["matches"].as_array().expect("a list");
    let pair = |hit: &Value| {
        (
            hit["name"].as_str().unwrap_or("file").to_owned(),
            hit["distance"].as_u64().expect("a number"),
        )
    };
    matches.iter().map(pair).collect()
}

#[test]
fn impact_is_what_an_independent_model_says() {
    for seed in 1..5 {
        let calls = Calls::random(24, 34, seed);
        for function in 0..6 {
            let name = format!("f{function}");
            for (direction, up) in [("up", true), ("down", false)] {
                let answer = ask(
                    &calls.project,
                    &["impact", &name, "--via", "calls", "--depth", "0", "--direction", direction],
                );
                assert_eq!(
                    found(&answer),
                    calls.distances(function, up),
                    "{seed} {name} {direction}"
                );
                assert_eq!(answer["summary"]["terminated_by"], "exhausted");
            }
        }
    }
}

#[test]
fn paths_are_shortest() {
    let calls = Calls::random(24, 40, 11);
    for from in 0..5 {
        let distances = calls.distances(from, false);
        for to in 0..24 {
            if from == to {
                continue;
            }
            let answer = ask(&calls.project, &["path", &format!("f{from}"), &format!("f{to}")]);
            let length = answer["chains"][0]["length"].as_u64();
            assert_eq!(
                length,
                distances.get(&format!("f{to}")).copied(),
                "f{from} f{to}: {answer}"
            );
            if length.is_none() {
                assert_eq!(answer["complete"], true);
            }
        }
    }
}

#[test]
fn cm_72_cycles_end_and_cm_73_the_reason_is_said() {
    let project =
        Project::with(&[("a.py", "def a():\n    b()\n\ndef b():\n    c()\n\ndef c():\n    a()\n")]);
    project.index();
    let all = ask(&project, &["impact", "a", "--depth", "0"]);
    assert_eq!(found(&all), BTreeMap::from([("b".to_owned(), 2), ("c".to_owned(), 1)]));
    assert_eq!(all["matches"][0]["chain"], serde_json::json!(["a", "c"]));
    let near = ask(&project, &["impact", "a", "--depth", "1"]);
    assert_eq!((found(&near).len(), &near["summary"]["terminated_by"]), (1, &"depth".into()));
    let few = ask(&project, &["impact", "a", "--limit", "1"]);
    assert_eq!(few["summary"]["terminated_by"], "limit");
    let summary = ask(&project, &["impact", "a", "--depth", "0", "--summary"]);
    assert_eq!(
        (&summary["matches"], &summary["summary"]["nodes"]),
        (&serde_json::json!([]), &2.into())
    );
}

const ZOO: &[(&str, &str)] = &[
    (
        "zoo/base.py",
        "class Animal:\n    def speak(self):\n        return ''\n\nclass Fish(Animal):\n    pass\n",
    ),
    (
        "zoo/dogs.py",
        "from zoo.base import Animal\n\nclass Dog(Animal):\n    def speak(self):\n        return bark()\n\nclass Puppy(Dog):\n    def speak(self):\n        return 'yip'\n\ndef bark():\n    return 'woof'\n",
    ),
    (
        "zoo/show.py",
        "from zoo.base import Animal\n\ndef show(animal: Animal):\n    return animal.speak()\n",
    ),
    (
        "test_show.py",
        "from zoo.show import show\nfrom zoo.dogs import Dog\n\ndef test_show():\n    show(Dog())\n",
    ),
];

#[test]
fn hierarchies_of_types_and_members() {
    let project = Project::with(ZOO);
    project.index();
    let animal = ask(&project, &["hierarchy", "Animal"]);
    let names: Vec<&str> = animal["matches"][0]["children"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|child| child["name"].as_str())
        .collect();
    assert_eq!(names, ["Fish", "Dog", "Puppy"]);
    let speak = ask(&project, &["hierarchy", "Dog.speak"]);
    assert_eq!(speak["matches"][0]["parents"][0]["name"], "Animal.speak");
    assert_eq!(speak["matches"][0]["children"][0]["name"], "Puppy.speak");
}

#[test]
fn calls_through_a_declaration_reach_what_implements_it() {
    let project = Project::with(ZOO);
    project.index();
    // Who calls `bark` is also who calls `speak` of an animal, which may be a dog.
    let answer = ask(&project, &["impact", "bark", "--depth", "0", "--via", "calls"]);
    let found = found(&answer);
    assert_eq!(found.get("Dog.speak"), Some(&1));
    assert_eq!(found.get("Animal.speak"), Some(&2), "{answer}");
    assert_eq!(found.get("show"), Some(&3));
    assert_eq!(found.get("test_show"), Some(&4));
    let by: Vec<&Value> = answer["matches"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|hit| hit["name"] == "Animal.speak")
        .map(|hit| &hit["by"])
        .collect();
    assert_eq!(by, ["dispatch"]);
    assert_eq!(answer["summary"]["tests"], 1);
}

#[test]
fn cm_70_files_and_globs_are_targets() {
    let project = Project::with(ZOO);
    project.index();
    let file = ask(&project, &["impact", "zoo/show.py"]);
    assert_eq!(file["targets"][0]["path"], "zoo/show.py");
    assert!(found(&file).contains_key("test_show"), "{file}");
    let glob = ask(&project, &["impact", "zoo/*.py", "--depth", "0"]);
    assert_eq!(glob["targets"].as_array().map(Vec::len), Some(3));
    let missing = project.groma(&["impact", "zoo/none.py"]);
    assert_ne!(missing.status, Some(0));
    let missing = project.groma(&["impact", "Animl"]);
    assert!(missing.stderr.contains("Did you mean"), "{missing:?}");
}

#[test]
fn cm_71_every_way_to_follow_takes_symbols_and_files() {
    let project = Project::with(ZOO);
    project.index();
    for target in ["Animal", "zoo/base.py"] {
        for via in ["calls", "types", "inheritance", "imports", "all"] {
            let answer = ask(&project, &["impact", target, "--via", via, "--depth", "0"]);
            assert_eq!(answer["summary"]["terminated_by"], "exhausted", "{target} {via}");
        }
    }
    let by = |target: &str, via: &str| found(&ask(&project, &["impact", target, "--via", via]));
    assert!(by("Animal", "inheritance").contains_key("Dog"));
    assert!(by("zoo/base.py", "imports").contains_key("file"));
    assert!(by("Animal", "calls").is_empty());
}

#[test]
fn impact_can_be_drawn() {
    let project = Project::with(&[(
        "a.py",
        "def low():\n    return 1\n\ndef mid():\n    return low()\n\ndef top():\n    return mid()\n",
    )]);
    project.index();
    let drawn = |format: &str| {
        let outcome = project.groma(&["impact", "low", "--format", format]);
        assert_eq!(outcome.status, Some(0), "{outcome:?}");
        outcome.stdout
    };
    assert_eq!(
        drawn("mermaid"),
        "flowchart LR\n    n0[\"low\"]\n    n1[\"mid\"]\n    n2[\"top\"]\n    n1 -->|\"call\"| n0\n    n2 -->|\"call\"| n1\n"
    );
    let dot = drawn("dot");
    assert!(dot.starts_with("digraph") && dot.contains("n2 -> n1 [label=\"call\"]"), "{dot}");
}

#[test]
fn a_symbol_that_everybody_uses_comes_to_an_end() {
    let project = Project::with(&[("low.py", "def low():\n    low()\n")]);
    let mut text = "from low import low\n".to_owned();
    for number in 0..3000 {
        text +=
            &format!("\n\ndef user_{number}():\n    low()\n    user_{}()\n", (number + 1) % 3000);
    }
    project.write("users.py", text);
    project.index();
    let impact = |arguments: &[&str]| {
        let outcome = project.groma(
            &[&["impact", "low", "--depth", "0", "--summary", "--json"], arguments].concat(),
        );
        assert_eq!(outcome.status, Some(0), "{outcome:?}");
        outcome.json()["summary"].clone()
    };
    let all = impact(&["--limit", "100000"]);
    assert_eq!((&all["terminated_by"], &all["complete"]), (&"exhausted".into(), &true.into()));
    assert!(all["nodes"].as_u64() >= Some(3000), "{all}");
    let some = impact(&["--limit", "10"]);
    assert_eq!((&some["nodes"], &some["terminated_by"]), (&10.into(), &"limit".into()));
}

#[test]
fn a_project_is_drawn_in_layers_and_in_tiles() {
    let project = Project::with(&[
        (
            "app/main.py",
            "from core.store import get\nfrom base.low import low\n\ndef main():\n    if get():\n        return low()\n",
        ),
        ("core/store.py", "from base.low import low\n\n\ndef get():\n    return low()\n"),
        ("base/low.py", "def low():\n    return '<low>'\n"),
        ("base/test_low.py", "from base.low import low\n\n\ndef test_low():\n    assert low()\n"),
    ]);
    project.index();
    let data = project.groma(&["graph", "--json"]).json();
    let nodes: Vec<(&str, u64)> = data["nodes"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|node| Some((node["path"].as_str()?, node["layer"].as_u64()?)))
        .collect();
    assert_eq!(nodes, [("app", 2), ("core", 1), ("base", 0)]);
    assert_eq!(data["edges"].as_array().map(Vec::len), Some(3));
    let svg = project.groma(&["graph"]).stdout;
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{svg}");
    // That `app` depends on `base` follows from the other two.
    assert_eq!(svg.matches(" → ").count(), 2, "{svg}");
    assert!(svg.contains("1 dependencies that follow from those drawn are not shown"), "{svg}");
    let files = project.groma(&["graph", "base", "--of", "files", "--tests", "--json"]).json();
    assert_eq!(files["edges"][0]["from"], "base/test_low.py");
    let tiles = project.groma(&["graph", "--of", "treemap"]).stdout;
    assert!(tiles.contains("app/main.py: 6 lines, complexity 2"), "{tiles}");
    assert!(tiles.contains(">core</text>") && tiles.contains("as large as its lines"), "{tiles}");
    assert_eq!(project.groma(&["graph", "nowhere"]).status, Some(1));
}

#[test]
fn go_types_satisfy_interfaces_by_their_methods() {
    let project = Project::with(&[
        ("go.mod", "module example.com/shop\n\ngo 1.22\n"),
        (
            "store/store.go",
            "package store\n\nimport \"context\"\n\ntype Closer interface {\n\tClose() error\n}\n\n\
             type Store interface {\n\tCloser\n\tGet(ctx context.Context, key string) (Item, error)\n}\n\n\
             type Item struct{ Name string }\n\n\
             func First(s Store) (Item, error) {\n\treturn s.Get(context.Background(), \"first\")\n}\n",
        ),
        (
            "disk/disk.go",
            "package disk\n\nimport (\n\t\"context\"\n\n\t\"example.com/shop/store\"\n)\n\n\
             type Disk struct{ path string }\n\n\
             func (d *Disk) Get(_ context.Context, key string) (store.Item, error) {\n\treturn store.Item{Name: key}, nil\n}\n",
        ),
        // In another file of the same package, as methods often are.
        ("disk/close.go", "package disk\n\nfunc (d *Disk) Close() error { return nil }\n"),
        // One method of its own, the other one embedded.
        (
            "disk/fast.go",
            "package disk\n\nimport (\n\t\"context\"\n\n\t\"example.com/shop/store\"\n)\n\n\
             type Fast struct{ *Disk }\n\n\
             func (f Fast) Get(ctx context.Context, key string) (store.Item, error) {\n\treturn f.Disk.Get(ctx, key)\n}\n",
        ),
        // The names alone are not enough.
        (
            "other/other.go",
            "package other\n\ntype Cache struct{}\n\nfunc (Cache) Get(key string) string { return key }\n\n\
             func (Cache) Close() error { return nil }\n",
        ),
    ]);
    project.index();
    let names = |list: &Value| -> Vec<String> {
        let list = list.as_array().cloned().unwrap_or_default();
        list.iter().map(|it| format!("{} {}", it["by"], it["name"]).replace('"', "")).collect()
    };
    let store = ask(&project, &["hierarchy", "Store"]);
    assert_eq!(names(&store["matches"][0]["children"]), ["satisfies Disk", "satisfies Fast"]);
    let closer = ask(&project, &["hierarchy", "Closer"]);
    assert_eq!(
        names(&closer["matches"][0]["children"]),
        ["extends Store", "satisfies Disk", "satisfies Cache", "satisfies Fast"]
    );
    let disk = ask(&project, &["hierarchy", "disk.Disk"]);
    assert_eq!(names(&disk["matches"][0]["parents"]), ["satisfies Closer", "satisfies Store"]);
    let get = ask(&project, &["hierarchy", "Store.Get"]);
    assert_eq!(names(&get["matches"][0]["children"]), ["overrides Disk.Get", "overrides Fast.Get"]);
    // A call of the declaration may run it, and says so.
    let callers = ask(&project, &["callers", "Disk.Get"]);
    let found: Vec<(&Value, &Value)> = callers["found"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|it| (&it["symbol"]["key"], &it["dispatch"]))
        .collect();
    assert_eq!(found[0], (&"disk/fast.go#Fast.Get".into(), &Value::Null));
    assert_eq!(found[1], (&"store/store.go#First".into(), &"store/store.go#Store.Get".into()));
    assert_eq!(ask(&project, &["callers", "Cache.Get"])["found"].as_array().map(Vec::len), Some(0));
    let impact = ask(&project, &["impact", "Disk.Get"]);
    assert!(impact.to_string().contains("First"), "{impact}");
}
