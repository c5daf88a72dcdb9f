//! Operations over HTTP/1.1, and the Model Context Protocol at `/mcp`.

use std::convert::Infallible;
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use index::pool::Program;
use ops::{Entry, Error, Format, Kind, Reply, Settings};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Map, Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};

use crate::desk::{Common, Desk, Options, Question};
use crate::guard::Guard;
use crate::mcp::Session;
use crate::tools::{ToolOptions, Tools};
use crate::{lifetime, openapi};

/// Serve operations over HTTP, and the Model Context Protocol at /mcp
///
/// Listens on this machine alone unless --host says otherwise, which needs a token: in the variable
/// GROMA_TOKEN or in a file. Only reads unless --allow-write is given.
#[derive(Debug, Clone, clap::Args)]
pub struct ServeOptions {
    /// Address to listen on
    #[arg(long, default_value = "127.0.0.1")]
    pub host: std::net::IpAddr,
    /// Port to listen on; 0 takes a free one
    #[arg(long, default_value_t = 7878)]
    pub port: u16,
    /// Every request needs the token that stands in this file, or in GROMA_TOKEN
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// A name under which others reach this server, besides numbers; may be repeated
    #[arg(long, value_name = "NAME")]
    pub allow_host: Vec<String>,
    #[command(flatten)]
    pub tools: ToolOptions,
    #[command(flatten)]
    pub common: Options,
}

const TOKEN: &str = "GROMA_TOKEN";

/// So many connections at once; more are told to come back.
const CONNECTIONS: usize = 768;
/// So many sessions of the Model Context Protocol at once.
const SESSIONS: usize = 256;
const MAX_BODY: usize = 1 << 20;
const MAX_HEADERS: usize = 64;
const MAX_HEADER_BYTES: usize = 16 << 10;
/// How long the head of a request, and its body, may take to arrive, and an answer to be found.
const HEAD: Duration = Duration::from_secs(8);
const BODY: Duration = Duration::from_secs(8);
const ANSWER: Duration = Duration::from_secs(90);

type Body = BoxBody<Bytes, Infallible>;
type Mcp = StreamableHttpService<Session, LocalSessionManager>;

struct Server {
    desk: Arc<Desk>,
    guard: Guard,
    mcp: Mcp,
    sessions: Arc<LocalSessionManager>,
}

/// Serves until a signal comes; what is under way is finished first. The address is written to standard
/// output.
pub fn run(
    settings: &Settings,
    program: Program,
    options: &ServeOptions,
    as_json: bool,
) -> Result<(), Error> {
    let token = token(options)?;
    if !options.host.is_loopback() && token.is_none() {
        let message = format!("others could reach {} without a token", options.host);
        return Err(Error::new(Kind::Refused, message)
            .hint(format!("Set {TOKEN} or give --token-file, or listen on 127.0.0.1.")));
    }
    let desk = Desk::new(settings, program, &options.common)?;
    let tools = Arc::new(Tools::new(&options.tools, options.common.allow_write)?);
    lifetime::allow_many_files();
    let runtime = lifetime::runtime(2)?;
    runtime.spawn(desk.clone().rest_when_quiet());
    let address = SocketAddr::new(options.host, options.port);
    let outcome = runtime.block_on(async {
        let listener = TcpListener::bind(address).await.map_err(|error| {
            Error::new(Kind::Io, format!("cannot listen on {address}: {error}"))
                .hint("Choose another port with --port; 0 takes a free one.")
        })?;
        let address = listener.local_addr().unwrap_or(address);
        tell(address, as_json, token.is_some());
        let server = Server::new(desk.clone(), tools, address, options, token.as_deref());
        server.listen(listener).await;
        Ok(())
    });
    desk.projects.stop();
    runtime.shutdown_timeout(lifetime::GRACE);
    outcome
}

fn token(options: &ServeOptions) -> Result<Option<String>, Error> {
    let given = match &options.token_file {
        Some(path) => index::read::read_small_file(path)?.ok_or_else(|| {
            Error::new(Kind::Usage, format!("there is no file {}", path.display()))
        })?,
        None => std::env::var(TOKEN).unwrap_or_default(),
    };
    let token = given.trim();
    match (token.is_empty(), &options.token_file) {
        (true, Some(path)) => {
            Err(Error::new(Kind::Usage, format!("{} has no token", path.display())))
        }
        (true, None) => Ok(None),
        (false, _) => Ok(Some(token.to_owned())),
    }
}

fn tell(address: SocketAddr, as_json: bool, has_token: bool) {
    let url = format!("http://{address}");
    let line = match as_json {
        true => json!({"url": url, "process": std::process::id(), "token": has_token}).to_string(),
        false => format!("listening on {url}"),
    };
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    if !address.ip().is_loopback() {
        let _ = writeln!(
            std::io::stderr(),
            "warning: others can reach this address; the token travels in clear text"
        );
    }
}

impl Server {
    fn new(
        desk: Arc<Desk>,
        tools: Arc<Tools>,
        address: SocketAddr,
        options: &ServeOptions,
        token: Option<&str>,
    ) -> Arc<Self> {
        let mut config = StreamableHttpServerConfig::default();
        // The guard looks at hosts and origins, on every route.
        config.allowed_hosts.clear();
        config.max_request_body_bytes = MAX_BODY;
        let sessions = Arc::new(LocalSessionManager::default());
        let own = desk.clone();
        let factory = move || Ok(Session::new(own.clone(), tools.clone()));
        let mcp = StreamableHttpService::new(factory, sessions.clone(), config);
        let guard = Guard::new(address, &options.allow_host, token);
        Arc::new(Self { desk, guard, mcp, sessions })
    }

    async fn listen(self: &Arc<Self>, listener: TcpListener) {
        let begun = self.desk.clone();
        drop(tokio::task::spawn_blocking(move || begun.projects.served(None)));
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        let (stop, stopped) = watch::channel(false);
        let mut signalled = pin!(lifetime::signalled());
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = &mut signalled => break,
            };
            let Ok((stream, _)) = accepted else {
                // No file is left for it; one will be.
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            let server = self.clone();
            match places.clone().try_acquire_owned() {
                Ok(place) => {
                    let stopped = stopped.clone();
                    tokio::spawn(async move {
                        server.serve(stream, stopped).await;
                        drop(place);
                    });
                }
                Err(_) => turn_away(&stream),
            }
        }
        drop(listener);
        // What is under way is finished, streams of events are not: they have no end.
        let _ = stop.send(true);
        let all = u32::try_from(CONNECTIONS).unwrap_or(u32::MAX);
        let _ = tokio::time::timeout(Duration::from_secs(1), places.acquire_many(all)).await;
        self.mcp.config.cancellation_token.cancel();
    }

    async fn serve(self: &Arc<Self>, stream: TcpStream, mut stopped: watch::Receiver<bool>) {
        let _ = stream.set_nodelay(true);
        let service = service_fn(|request| {
            let server = self.clone();
            async move { Ok::<_, Infallible>(server.answer(request).await) }
        });
        let mut builder = hyper::server::conn::http1::Builder::new();
        builder
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .max_headers(MAX_HEADERS)
            .max_header_size(MAX_HEADER_BYTES);
        let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
        tokio::select! {
            _ = &mut connection => return,
            _ = stopped.wait_for(|stopped| *stopped) => {}
        }
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }

    async fn answer(self: &Arc<Self>, request: Request<Incoming>) -> Response<Body> {
        let mut response = match self.guard.check(&request) {
            Ok(()) => self.route(request).await,
            Err(refusal) => {
                let status = refusal.status();
                let word = status.canonical_reason().unwrap_or_default().to_lowercase();
                told(
                    status,
                    &json!({"error": {"code": "refused", "message": word, "hint": null,
                    "retryable": false}}),
                )
            }
        };
        let headers = response.headers_mut();
        headers.insert("x-groma-version", HeaderValue::from_static(env!("CARGO_PKG_VERSION")));
        headers.insert("x-content-type-options", HeaderValue::from_static("nosniff"));
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
        response
    }

    async fn route(self: &Arc<Self>, request: Request<Incoming>) -> Response<Body> {
        let path = request.uri().path().to_owned();
        let is_get = request.method() == Method::GET;
        match path.as_str() {
            "/mcp" => self.mcp(request).await,
            "/health" if is_get => {
                let status = json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")});
                told(StatusCode::OK, &status)
            }
            "/api" if is_get => told(StatusCode::OK, &openapi::index()),
            "/openapi.json" if is_get => told(StatusCode::OK, &openapi::document()),
            "/health" | "/api" | "/openapi.json" => not_allowed("GET"),
            _ => match path.strip_prefix("/api/").and_then(Entry::named) {
                Some(entry) if self.desk.offers(entry) => self.operation(entry, request).await,
                _ => failed(
                    &Error::new(Kind::NotFound, "there is nothing at this path")
                        .hint("GET /api lists the operations."),
                ),
            },
        }
    }

    async fn mcp(&self, request: Request<Incoming>) -> Response<Body> {
        let begins = request.headers().get("mcp-session-id").is_none();
        if begins && self.sessions.sessions.read().await.len() >= SESSIONS {
            let error = Error::new(Kind::Busy, format!("{SESSIONS} sessions are open already"));
            return failed(&error.hint("Sessions that nobody uses end after five minutes."));
        }
        // Events are sent as they come; only the request itself is waited for.
        match tokio::time::timeout(ANSWER, self.mcp.handle(request)).await {
            Ok(response) => response,
            Err(_) => late(),
        }
    }

    async fn operation(
        self: &Arc<Self>,
        entry: &'static Entry,
        request: Request<Incoming>,
    ) -> Response<Body> {
        if request.method() != Method::POST {
            return not_allowed("POST");
        }
        if !is_json(&request) {
            let error = Error::new(Kind::Usage, "arguments come as application/json, not encoded");
            return with_status(&error, StatusCode::UNSUPPORTED_MEDIA_TYPE);
        }
        let mut input = match arguments(request.into_body()).await {
            Ok(input) => input,
            Err((status, error)) => return with_status(&error, status),
        };
        let common = match Common::take(&mut input) {
            Ok(common) => common,
            Err(error) => return failed(&error),
        };
        let question =
            Question { entry, input, common, format: Format::Json, default_tokens: None };
        let asked = self.desk.ask(question, std::future::pending(), |_| {});
        match tokio::time::timeout(ANSWER, asked).await {
            Ok(Ok(reply)) => answered(reply),
            Ok(Err(error)) => failed(&error),
            Err(_) => late(),
        }
    }
}

/// The arguments in a body that is whole, short enough and in time.
async fn arguments(body: Incoming) -> Result<Map<String, Value>, (StatusCode, Error)> {
    let wrong = |message: String| (StatusCode::BAD_REQUEST, Error::new(Kind::Usage, message));
    let limited = Limited::new(body, MAX_BODY).collect();
    let bytes = match tokio::time::timeout(BODY, limited).await {
        Err(_) => {
            let error = Error::new(Kind::Limit, "the body took too long");
            return Err((StatusCode::REQUEST_TIMEOUT, error));
        }
        Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => {
            let error = Error::new(Kind::Limit, format!("a body has at most {MAX_BODY} bytes"));
            return Err((StatusCode::PAYLOAD_TOO_LARGE, error));
        }
        Ok(Err(error)) => return Err(wrong(format!("the body: {error}"))),
        Ok(Ok(body)) => body.to_bytes(),
    };
    if bytes.trim_ascii().is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(_) => Err(wrong("arguments are one object".to_owned())),
        Err(error) => Err(wrong(format!("the body is no JSON: {error}"))),
    }
}

/// A page of another site can send other types without being asked, so only this one counts.
fn is_json<B>(request: &Request<B>) -> bool {
    let header = |name: header::HeaderName| {
        request.headers().get(name).map(|value| value.to_str().unwrap_or("?").to_ascii_lowercase())
    };
    let kind = header(header::CONTENT_TYPE);
    let kind = kind.as_deref().and_then(|kind| kind.split(';').next()).map(str::trim);
    let is_plain = header(header::CONTENT_ENCODING).is_none_or(|coding| coding == "identity");
    kind == Some(ops::JSON) && is_plain
}

fn answered(reply: Reply) -> Response<Body> {
    let mut response = Response::new(text(reply.text));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(reply.media_type));
    headers.insert(
        "x-groma-findings",
        HeaderValue::from_static(if reply.has_findings { "1" } else { "0" }),
    );
    response
}

fn failed(error: &Error) -> Response<Body> {
    let status = match (error.kind, error.word()) {
        (_, "indexing") => StatusCode::SERVICE_UNAVAILABLE,
        (Kind::Usage, _) => StatusCode::BAD_REQUEST,
        (Kind::NotFound, _) => StatusCode::NOT_FOUND,
        (Kind::Refused, _) => StatusCode::FORBIDDEN,
        (Kind::Limit, _) => StatusCode::UNPROCESSABLE_ENTITY,
        (Kind::Index, _) => StatusCode::CONFLICT,
        (Kind::Busy | Kind::Interrupted, _) => StatusCode::SERVICE_UNAVAILABLE,
        (Kind::Io | Kind::Damaged, _) => StatusCode::INTERNAL_SERVER_ERROR,
    };
    with_status(error, status)
}

fn with_status(error: &Error, status: StatusCode) -> Response<Body> {
    let request = ops::Request { format: Format::Json, ..ops::Request::default() };
    let mut response = Response::new(text(ops::failure(error, &request)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(ops::JSON));
    if status == StatusCode::SERVICE_UNAVAILABLE {
        headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

fn late() -> Response<Body> {
    let error = Error::new(Kind::Limit, "the answer took too long");
    with_status(&error, StatusCode::GATEWAY_TIMEOUT)
}

fn not_allowed(method: &'static str) -> Response<Body> {
    let error = Error::new(Kind::Usage, format!("this path takes {method}"));
    let mut response = with_status(&error, StatusCode::METHOD_NOT_ALLOWED);
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(method));
    response
}

fn told(status: StatusCode, value: &Value) -> Response<Body> {
    let mut response = Response::new(text(format!("{value}\n")));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(ops::JSON));
    response
}

fn text(text: String) -> Body {
    Full::new(Bytes::from(text)).boxed()
}

/// Says so in a few bytes that always fit, and closes.
fn turn_away(stream: &TcpStream) {
    const ANSWER: &[u8] =
        b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let _ = stream.try_write(ANSWER);
}
