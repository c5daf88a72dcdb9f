//! The Model Context Protocol, whatever carries it.

use std::sync::{Arc, Mutex};

use ops::{Error, Format, Request};
use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    CompletionInfo, ContentBlock, CustomRequest, CustomResult, ErrorCode, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ResourceContents, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};

use crate::desk::{Common, Desk, Question};
use crate::projects::Served;
use crate::tools::Tools;
use crate::window::Window;
use crate::{completions, prompts, resources};

/// What every client is told first.
pub const INSTRUCTIONS: &str = "\
Groma knows this codebase: an exact, always current index of symbols and links. Use it before grep or \
reading files. search finds; show explains a symbol; trace follows callers, references, impact, affected \
tests; context gathers what a task needs; query is SQL (tables: groma://schema) or recipes \
(groma://recipes).
Symbols: `path#name`, `path:line`, `Owner.name` or `name`. Every tool takes root (another project), \
max_tokens (default 4000), offset (go on at `next`), json (readable keys), again (repeat code that was \
given before).
Keys: n name, k kind, f file, fi index in _f, l lines, sig signature.";

/// How an agent should use Groma.
pub const SKILL: &str = include_str!("skill.md");

/// Methods that take parameters.
const METHODS: &[&str] =
    &["initialize", "tools/call", "resources/read", "prompts/get", "completion/complete"];

/// One session with a client.
#[derive(Clone)]
pub(crate) struct Session {
    desk: Arc<Desk>,
    tools: Arc<Tools>,
    window: Arc<Mutex<Window>>,
}

impl Session {
    pub(crate) fn new(desk: Arc<Desk>, tools: Arc<Tools>) -> Self {
        Self { desk, tools, window: Arc::default() }
    }

    async fn call(
        &self,
        question: Question,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResult {
        let (common, format) = (question.common.clone(), question.format);
        let token = context.meta.get_progress_token();
        let told = |served: &Served| {
            let Some(token) = token.clone() else { return };
            let (progress, total) = served.meter.overall();
            let progress = ProgressNotificationParam::new(token, progress)
                .with_total(total)
                .with_message(format!("indexing: {}", served.meter));
            let peer = context.peer.clone();
            tokio::spawn(async move { peer.notify_progress(progress).await });
        };
        match self.desk.ask(question, context.ct.cancelled(), told).await {
            Ok(reply) => self.result(reply.text, &common, format),
            Err(error) => failed(&error, &common, format),
        }
    }

    fn result(&self, text: String, common: &Common, format: Format) -> CallToolResult {
        if format == Format::Compact {
            let root = common.root.as_deref().unwrap_or_default();
            let mut window = self.window.lock().expect("nobody panics while holding it");
            let short = window.shorten(root, &text, common.again);
            return CallToolResult::success(vec![ContentBlock::text(short.unwrap_or(text))]);
        }
        // Structured content is an object, whatever the answer is.
        let structured = serde_json::from_str::<Value>(&text).ok().map(|value| match value {
            Value::Object(_) => value,
            other => json!({"result": other}),
        });
        let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
        result.structured_content = structured;
        result
    }
}

/// An error that whoever asked can read.
fn failed(error: &Error, common: &Common, format: Format) -> CallToolResult {
    let request = Request { format, max_tokens: common.max_tokens, ..Request::default() };
    CallToolResult::error(vec![ContentBlock::text(ops::failure(error, &request))])
}

impl rmcp::ServerHandler for Session {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .enable_completions()
            .build();
        let own = Implementation::new("groma", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities).with_server_info(own).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.list().to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let Some(question) = self.tools.question(&request.name, arguments) else {
            let name = ops::text::one_line(&request.name, 100);
            return Err(ErrorData::invalid_params(format!("there is no tool `{name}`"), None));
        };
        Ok(match question {
            Ok(question) => self.call(question, &context).await,
            Err(error) => failed(&error, &Common::default(), Format::Compact),
        }
        .into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::list()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let contents = |text: String, media_type: &str| {
            let contents = ResourceContents::text(text, uri.clone()).with_mime_type(media_type);
            Ok(ReadResourceResult::new(vec![contents]).into())
        };
        if uri == resources::SKILL {
            return contents(SKILL.to_owned(), "text/markdown");
        }
        let Some((question, media_type)) = resources::question(&uri) else {
            let uri = ops::text::one_line(&uri, 200);
            return Err(ErrorData::resource_not_found(
                format!("there is no resource `{uri}`"),
                Some(json!({"uri": uri})),
            ));
        };
        match self.desk.ask(question, context.ct.cancelled(), |_| {}).await {
            Ok(reply) => contents(plain(&reply.text), media_type),
            Err(error) if error.kind == ops::Kind::NotFound => Err(ErrorData::resource_not_found(
                error.message,
                Some(json!({"uri": ops::text::one_line(&uri, 200)})),
            )),
            Err(error) => Err(ErrorData::internal_error(
                error.message.clone(),
                serde_json::from_str(&ops::failure(
                    &error,
                    &Request { format: Format::Json, ..Request::default() },
                ))
                .ok(),
            )),
        }
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        match prompts::get(&request.name, request.arguments.as_ref()) {
            Some(Ok((about, message))) => {
                Ok(GetPromptResult::new(vec![message]).with_description(about).into())
            }
            Some(Err(missing)) => Err(ErrorData::invalid_params(missing, None)),
            None => {
                let name = ops::text::one_line(&request.name, 100);
                Err(ErrorData::invalid_params(format!("there is no prompt `{name}`"), None))
            }
        }
    }

    /// A method that is not known, or one whose parameters are not what it takes.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = ops::text::one_line(&request.method, 100);
        match METHODS.contains(&request.method.as_str()) {
            true => {
                Err(ErrorData::invalid_params(format!("`{method}` takes other parameters"), None))
            }
            false => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None)),
        }
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let argument = request.argument;
        let values = completions::complete(&self.desk, &argument.name, &argument.value).await;
        let info =
            CompletionInfo::new(values).map_err(|text| ErrorData::internal_error(text, None))?;
        Ok(CompleteResult::new(info))
    }
}

/// Text for people, without colours.
fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}
