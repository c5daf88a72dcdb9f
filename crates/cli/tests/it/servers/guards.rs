//! What a web page, a neighbour or a broken client may try, on every route.

use std::io::{BufReader, Write};
use std::time::{Duration, Instant};

use serde_json::json;

use super::messages::resident;
use super::web::{Web, read};
use crate::project::{NEIGHBOURS, Project};

const ROUTES: &[(&str, &str)] = &[
    ("GET", "/health"),
    ("GET", "/api"),
    ("GET", "/openapi.json"),
    ("POST", "/api/show"),
    ("POST", "/api/index"),
    ("GET", "/mcp"),
    ("POST", "/mcp"),
    ("DELETE", "/mcp"),
    ("GET", "/"),
    ("GET", "/nothing"),
];

fn small() -> Project {
    let project = Project::with(NEIGHBOURS);
    project.index();
    project
}

fn never_allows(answer: &super::web::Answer) {
    let allowed = answer.headers.iter().find(|(name, _)| name.starts_with("access-control-"));
    assert_eq!(allowed, None);
}

#[test]
fn reliability_71_every_route_is_closed_to_strange_hosts() {
    let project = small();
    let web = Web::start(&project, &[]);
    let port = web.port;
    for (method, path) in ROUTES {
        for host in [
            "host: evil.example\r\n".to_owned(),
            String::new(),
            format!("host: 127.0.0.1:{port}\r\nhost: 127.0.0.1:{port}\r\n"),
            format!("host: 127.0.0.1.nip.io:{port}\r\n"),
            format!("host: 127.0.0.1:{}\r\n", port.wrapping_add(1)),
            format!("host: a@127.0.0.1:{port}\r\n"),
        ] {
            let request = format!("{method} {path} HTTP/1.1\r\n{host}content-length: 0\r\n\r\n");
            let answer = web.raw(request.as_bytes()).expect("an answer");
            assert!(matches!(answer.status, 400 | 403), "{method} {path} {host}: {answer:?}");
            assert!(!answer.body.contains(project.root().to_str().expect("UTF-8")));
            never_allows(&answer);
        }
    }
    for host in ["localhost", "127.0.0.1", "[::1]"] {
        let request = format!("GET /health HTTP/1.1\r\nhost: {host}:{port}\r\n\r\n");
        assert_eq!(web.raw(request.as_bytes()).expect("an answer").status, 200, "{host}");
    }
}

#[test]
fn reliability_72_every_route_is_closed_to_other_sites() {
    let project = small();
    let web = Web::start(&project, &[]);
    for (method, path) in ROUTES.iter().chain([&("OPTIONS", "/api/show"), &("OPTIONS", "/mcp")]) {
        for header in [
            "origin: http://evil.example\r\n",
            "origin: null\r\n",
            "origin: http://127.0.0.1:1\r\n",
            "sec-fetch-site: cross-site\r\n",
            "sec-fetch-site: same-site\r\n",
        ] {
            let answer = web.send(method, path, header, "");
            assert_eq!(answer.status, 403, "{method} {path} {header}");
            never_allows(&answer);
        }
    }
}

#[test]
fn reliability_73_only_json_is_taken_and_only_by_post() {
    let project = small();
    let web = Web::start(&project, &["--allow-write"]);
    let body = json!({"paths": ["near/alpha.rs"]}).to_string();
    for kind in [
        "",
        "content-type: text/plain\r\n",
        "content-type: application/x-www-form-urlencoded\r\n",
        "content-type: multipart/form-data; boundary=x\r\n",
        "content-type: application/jsonp\r\n",
        "content-type: application/json\r\ncontent-encoding: gzip\r\n",
    ] {
        assert_eq!(web.send("POST", "/api/remove", kind, &body).status, 415, "{kind}");
    }
    for method in ["GET", "PUT", "DELETE", "PATCH"] {
        let answer = web.send(method, "/api/remove", "content-type: application/json\r\n", &body);
        assert_eq!(answer.status, 405, "{method}");
    }
    assert_eq!(web.ask("show", &json!({"symbol": "add"})).status, 200, "something ran");
}

#[test]
fn reliability_74_a_token_is_needed_everywhere_and_never_shown() {
    let mut project = small();
    project.set("GROMA_TOKEN", "a-secret-of-the-test");
    let web = Web::start(&project, &[]);
    assert_eq!(web.get("/health").status, 200);
    for (method, path) in ROUTES.iter().filter(|route| route.1 != "/health") {
        for header in ["", "authorization: Bearer wrong\r\n", "authorization: Bearer a-secret\r\n"]
        {
            let answer = web.send(method, path, header, "");
            assert_eq!(answer.status, 401, "{method} {path} {header}");
            assert!(!answer.body.contains("a-secret"), "{answer:?}");
        }
    }
    let in_url = web.get("/api?token=a-secret-of-the-test");
    assert_eq!(in_url.status, 401);
    let header = "authorization: Bearer a-secret-of-the-test\r\n";
    assert_eq!(web.send("GET", "/api", header, "").status, 200);
    let command = std::fs::read(format!("/proc/{}/cmdline", web.child.id())).expect("it runs");
    assert!(!String::from_utf8_lossy(&command).contains("a-secret"));
}

#[test]
fn reliability_75_others_reach_it_only_with_a_token() {
    let mut project = small();
    let refused = project.groma(&["serve", "--host", "0.0.0.0", "--port", "0", "--json"]);
    assert_eq!(refused.status, Some(7));
    assert_eq!(refused.error()["code"], "refused");
    let empty = project.outside("empty");
    std::fs::write(&empty, "\n").expect("a file");
    let arguments = ["serve", "--token-file", empty.to_str().expect("UTF-8"), "--json"];
    assert_eq!(project.groma(&arguments).status, Some(2));
    project.set("GROMA_TOKEN", "t");
    let web = Web::start(&project, &["--host", "0.0.0.0"]);
    assert_eq!(web.get("/api").status, 401);
    assert_eq!(web.send("GET", "/api", "authorization: Bearer t\r\n", "").status, 200);
}

#[test]
fn reliability_76_too_much_of_anything_is_refused_and_costs_little() {
    let project = small();
    let web = Web::start(&project, &[]);
    let host = web.host();
    let head =
        format!("POST /api/show HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n");
    let long =
        format!("{head}content-length: {}\r\n\r\n{}", (1 << 20) + 1, "x".repeat((1 << 20) + 1));
    assert_eq!(web.raw(long.as_bytes()).expect("an answer").status, 413);
    // An endless body in pieces.
    let mut stream = web.connect();
    stream
        .write_all(format!("{head}transfer-encoding: chunked\r\n\r\n").as_bytes())
        .expect("it reads");
    let chunk = format!("{:x}\r\n{}\r\n", 1 << 16, "x".repeat(1 << 16));
    for _ in 0..64 {
        if stream.write_all(chunk.as_bytes()).is_err() {
            break;
        }
    }
    let answer = read(&mut BufReader::new(stream));
    assert!(answer.is_none_or(|answer| answer.status == 413));
    let requests = [
        format!("{head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"),
        format!("GET /health HTTP/1.1\r\nhost: {host}\r\nx: {}\r\n\r\n", "y".repeat(64 << 10)),
        format!("GET /health HTTP/1.1\r\nhost: {host}\r\n{}\r\n", "a: b\r\n".repeat(10_000)),
        "GET /health\r\n\r\n".to_owned(),
        "\0\0\0\0\r\n\r\n".to_owned(),
        format!("GET /health HTTP/9.9\r\nhost: {host}\r\n\r\n"),
        format!("{head}content-length: -1\r\n\r\n"),
        format!("{head}content-length: 1\r\ncontent-length: 2\r\n\r\nxx"),
    ];
    for request in &requests {
        let answer = web.raw(request.as_bytes());
        let shown = &request[..request.len().min(120)];
        assert!(answer.is_none_or(|it| matches!(it.status, 400 | 413 | 431)), "{shown}");
        assert_eq!(web.get("/health").status, 200, "{shown}");
    }
    // A thousand at once, one after the other.
    let mut stream = web.connect();
    let many = format!("GET /health HTTP/1.1\r\nhost: {host}\r\n\r\n").repeat(1000);
    let mut writer = stream.try_clone().expect("a second handle");
    let sender = std::thread::spawn(move || writer.write_all(many.as_bytes()));
    let mut reader = BufReader::new(&mut stream);
    for number in 0..1000 {
        assert_eq!(read(&mut reader).map(|it| it.status), Some(200), "{number}");
    }
    sender.join().expect("it only writes").expect("it was read");
    let memory = resident(web.child.id());
    assert!(memory < 128 << 20, "{memory}");
}

#[test]
fn reliability_77_slow_senders_hold_nobody_up_and_are_closed() {
    let project = small();
    let web = Web::start(&project, &[]);
    let slow: Vec<_> = (0..500)
        .map(|number| {
            let mut stream = web.connect();
            let begun = match number % 2 {
                0 => format!("GET /health HTTP/1.1\r\nhost: {}\r\nx", web.host()),
                _ => format!(
                    "POST /api/show HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
                     content-length: 100\r\n\r\n{{",
                    web.host()
                ),
            };
            stream.write_all(begun.as_bytes()).expect("it reads");
            stream
        })
        .collect();
    let started = Instant::now();
    assert_eq!(web.ask("show", &json!({"symbol": "add"})).status, 200);
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    for stream in slow {
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a legal time");
        let answer = read(&mut BufReader::new(&stream));
        assert!(answer.is_none_or(|it| it.status == 408), "neither closed nor told");
    }
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
}

#[test]
fn reliability_78_no_path_leads_out_of_the_project() {
    let project = small();
    std::fs::write(project.outside("secret.rs"), "pub fn secret_of_others() {}\n").expect("a file");
    let web = Web::start(&project, &[]);
    for path in [
        "/..%2f..%2fetc/passwd",
        "/api/..%2fshow",
        "/api/../show",
        "/api//show",
        "/api/show/",
        "/api/%73how",
        "/%00",
        "/..\\..\\etc",
        "/%252e%252e/",
        "/api/show%00",
    ] {
        let answer = web.post(path, &json!({"symbol": "add"}));
        assert!(matches!(answer.status, 400 | 404), "{path}: {answer:?}");
    }
    let outside = project.outside("secret.rs");
    for file in
        ["../secret.rs", outside.to_str().expect("UTF-8"), "near/../../secret.rs", "..%2fsecret.rs"]
    {
        let answer = web.ask("outline", &json!({"files": [file]}));
        assert!(!answer.body.contains("secret_of_others"), "{file}: {answer:?}");
        assert!(answer.status >= 400, "{file}: {answer:?}");
    }
}
