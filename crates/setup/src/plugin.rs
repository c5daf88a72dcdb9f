//! The plugin for Claude Code, made of the same rows and texts that `groma setup` writes, so that the
//! two never say different things.

use serde_json::{Map, Value, json};

use crate::table::{Client, Scope, clients, with_program};
use crate::{json, skill};

const ABOUT: &str = "Answers questions about code from a local index instead of text search";

/// All files of the plugin and of the marketplace that offers it, with their paths below
/// `integrations/`.
pub fn files() -> Vec<(&'static str, String)> {
    let is_claude = |client: &&Client| client.id == "claude-code";
    let client = clients().iter().find(is_claude).expect("a test reads the table");
    let manifest = json!({
        "name": "groma",
        "version": env!("CARGO_PKG_VERSION"),
        "description": ABOUT,
        "license": env!("CARGO_PKG_LICENSE"),
        "keywords": ["code-search", "code-graph", "mcp"],
    });
    let marketplace = json!({
        "name": "groma",
        "owner": {"name": "Groma"},
        "plugins": [{"name": "groma", "source": "./claude-code", "description": ABOUT}],
    });
    vec![
        (".claude-plugin/marketplace.json", json::pretty(&marketplace)),
        ("claude-code/.claude-plugin/plugin.json", json::pretty(&manifest)),
        ("claude-code/.mcp.json", json::pretty(&servers(client))),
        ("claude-code/hooks/hooks.json", json::pretty(&hooks(client))),
        ("claude-code/skills/groma/SKILL.md", skill::file()),
    ]
}

/// A plugin comes without the program, which is therefore on PATH.
const PROGRAM: &str = "groma";

fn servers(client: &Client) -> Value {
    let entry = with_program(&client.server.entry(Scope::Project), PROGRAM);
    json!({"mcpServers": {"groma": entry}})
}

fn hooks(client: &Client) -> Value {
    let mut root = Value::Object(Map::new());
    for hook in client.hooks.iter().flat_map(|hooks| &hooks.items) {
        let list = hook.at.iter().fold(&mut root, |value, key| &mut value[key.as_str()]);
        let item = with_program(&hook.item, PROGRAM);
        match list {
            Value::Array(items) => items.push(item),
            empty => *empty = Value::Array(vec![item]),
        }
    }
    root
}
