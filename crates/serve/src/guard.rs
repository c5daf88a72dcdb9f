//! Who may speak to the HTTP server at all.
//!
//! A port of this machine is open to every page that a browser shows and to every user of the machine.
//! So each request, on every route, must be addressed to this server by a name that no stranger can point
//! here (`Host`), must not come from another site (`Origin`, `Sec-Fetch-Site`), and must carry the token
//! where there is one.

use std::net::{IpAddr, SocketAddr};

use hyper::header::{AUTHORIZATION, HOST, HeaderMap, ORIGIN};
use hyper::http::uri::Authority;
use hyper::{Method, Request, StatusCode};
use sha2::{Digest, Sha256};

/// The rules of one server.
#[derive(Debug)]
pub(crate) struct Guard {
    address: SocketAddr,
    /// Names besides those of the loopback.
    hosts: Vec<String>,
    /// The digest, so that comparing it tells nothing of the token.
    token: Option<[u8; 32]>,
}

/// Why a request is turned away. Nothing more is said to whoever sent it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    Forbidden,
    Unauthorized,
}

impl Refusal {
    pub(crate) const fn status(self) -> StatusCode {
        match self {
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
        }
    }
}

impl Guard {
    pub(crate) fn new(address: SocketAddr, hosts: &[String], token: Option<&str>) -> Self {
        let hosts = hosts.iter().map(|host| host.to_ascii_lowercase()).collect();
        Self { address, hosts, token: token.map(digest) }
    }

    pub(crate) fn check<B>(&self, request: &Request<B>) -> Result<(), Refusal> {
        let headers = request.headers();
        let host = only(headers, &HOST).ok_or(Refusal::Forbidden)?;
        let authority = self.own_authority(host).ok_or(Refusal::Forbidden)?;
        // A request may name its server twice; a proxy is never one of the two.
        if let Some(other) = request.uri().authority()
            && *other != authority
        {
            return Err(Refusal::Forbidden);
        }
        if headers.contains_key(ORIGIN) {
            let own = only(headers, &ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
            if own.is_none_or(|own| !own.eq_ignore_ascii_case(host)) {
                return Err(Refusal::Forbidden);
            }
        }
        for site in headers.get_all("sec-fetch-site") {
            if !matches!(site.as_bytes(), b"same-origin" | b"none") {
                return Err(Refusal::Forbidden);
            }
        }
        let is_health = request.method() == Method::GET && request.uri().path() == "/health";
        if is_health || self.knows_token(headers) { Ok(()) } else { Err(Refusal::Unauthorized) }
    }

    /// The authority that a request is addressed to, if it is this server.
    fn own_authority(&self, host: &str) -> Option<Authority> {
        let authority: Authority = host.parse().ok()?;
        if authority.as_str().contains('@') {
            return None;
        }
        let name = authority.host().to_ascii_lowercase();
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        let literal: Option<IpAddr> = bare.parse().ok();
        let is_port = authority.port_u16().unwrap_or(80) == self.address.port();
        let is_own = match literal {
            // A name that a stranger owns can lead here, a number cannot.
            Some(number) if self.address.ip().is_loopback() => number.is_loopback(),
            Some(_) => true,
            None => name == "localhost" || self.hosts.contains(&name),
        };
        // Where others reach it, the port may be another one on the way.
        (is_own && (is_port || !self.address.ip().is_loopback())).then_some(authority)
    }

    fn knows_token(&self, headers: &HeaderMap) -> bool {
        let Some(expected) = &self.token else { return true };
        let given = only(headers, &AUTHORIZATION).and_then(|text| {
            let (scheme, token) = text.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
        });
        given.is_some_and(|token| digest(token) == *expected)
    }
}

/// A header that must be there once.
fn only<'h>(headers: &'h HeaderMap, name: &hyper::header::HeaderName) -> Option<&'h str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?;
    match all.next() {
        None => first.to_str().ok(),
        Some(_) => None,
    }
}

fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use hyper::Request;

    use super::{Guard, Refusal};

    fn asked(guard: &Guard, headers: &[(&str, &str)]) -> Result<(), Refusal> {
        let mut request = Request::builder().uri("/api");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        guard.check(&request.body(()).expect("a request"))
    }

    fn local(token: Option<&str>) -> Guard {
        Guard::new("127.0.0.1:7878".parse().expect("an address"), &[], token)
    }

    #[test]
    fn reliability_71_only_its_own_names_reach_it() {
        let guard = local(None);
        for host in ["localhost:7878", "127.0.0.1:7878", "[::1]:7878", "LOCALHOST:7878"] {
            assert_eq!(asked(&guard, &[("host", host)]), Ok(()), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:7878",
            "127.0.0.1.nip.io:7878",
            "localhost",
            "localhost:80",
            "127.0.0.1:7879",
            "user@127.0.0.1:7878",
            "localhost:7878@evil.example",
            "192.168.0.7:7878",
            "",
            "local host:7878",
            "localhost.:7878",
        ] {
            assert_eq!(asked(&guard, &[("host", host)]), Err(Refusal::Forbidden), "{host}");
        }
        assert_eq!(asked(&guard, &[]), Err(Refusal::Forbidden));
        let twice = [("host", "localhost:7878"), ("host", "localhost:7878")];
        assert_eq!(asked(&guard, &twice), Err(Refusal::Forbidden));
    }

    #[test]
    fn reliability_72_other_sites_are_turned_away() {
        let guard = local(None);
        let host = ("host", "localhost:7878");
        for origin in [
            "http://evil.example",
            "null",
            "http://localhost:7879",
            "https://localhost:7878",
            "http://localhost",
            "",
        ] {
            let headers = [host, ("origin", origin)];
            assert_eq!(asked(&guard, &headers), Err(Refusal::Forbidden), "{origin}");
        }
        assert_eq!(asked(&guard, &[host, ("origin", "http://localhost:7878")]), Ok(()));
        for site in ["cross-site", "same-site", "anything"] {
            let headers = [host, ("sec-fetch-site", site)];
            assert_eq!(asked(&guard, &headers), Err(Refusal::Forbidden), "{site}");
        }
        for site in ["same-origin", "none"] {
            assert_eq!(asked(&guard, &[host, ("sec-fetch-site", site)]), Ok(()), "{site}");
        }
    }

    #[test]
    fn reliability_74_the_token_is_needed_whole() {
        let guard = local(Some("a-long-secret"));
        let host = ("host", "localhost:7878");
        let long = format!("Bearer {}", "x".repeat(1 << 20));
        for given in ["", "Bearer", "Bearer ", "Bearer a-long-secre", "Basic a-long-secret", &long]
        {
            let headers = [host, ("authorization", given)];
            assert_eq!(asked(&guard, &headers), Err(Refusal::Unauthorized), "{:.40}", given);
        }
        assert_eq!(asked(&guard, &[host]), Err(Refusal::Unauthorized));
        for given in ["Bearer a-long-secret", "bearer a-long-secret"] {
            assert_eq!(asked(&guard, &[host, ("authorization", given)]), Ok(()));
        }
        let health = Request::builder().uri("/health").header("host", "localhost:7878");
        assert_eq!(guard.check(&health.body(()).expect("a request")), Ok(()));
        let health = Request::builder().uri("/health").header("host", "evil.example");
        assert_eq!(guard.check(&health.body(()).expect("a request")), Err(Refusal::Forbidden));
    }

    #[test]
    fn where_others_reach_it_numbers_and_given_names_do() {
        let address = "0.0.0.0:7878".parse().expect("an address");
        let guard = Guard::new(address, &["build.example".to_owned()], Some("t"));
        let token = ("authorization", "Bearer t");
        for host in ["10.0.0.7:7878", "build.example", "localhost:7878"] {
            assert_eq!(asked(&guard, &[("host", host), token]), Ok(()), "{host}");
        }
        assert_eq!(asked(&guard, &[("host", "evil.example"), token]), Err(Refusal::Forbidden));
    }
}
