// A session with the official TypeScript client: node session.mjs <groma> <project>
import assert from "node:assert";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [program, root] = process.argv.slice(2);
const client = new Client({ name: "conformance", version: "1" });
await client.connect(new StdioClientTransport({ command: program, args: ["mcp", "--root", root] }));
const { tools } = await client.listTools();
assert.deepEqual(tools.map((tool) => tool.name), ["search", "show", "trace", "context", "query"]);
const call = async (name, args) => (await client.callTool({ name, arguments: args })).content[0].text;
assert.match(await call("search", { query: "total" }), /prices\.py/);
assert.match(await call("show", { symbol: "total", source: true }), /def total/);
assert.match(await call("trace", { step: "callers", target: "total" }), /report/);
assert.equal((await client.listResources()).resources.length, 5);
assert.equal((await client.listPrompts()).prompts.length, 3);
const summary = await client.readResource({ uri: "groma://summary" });
assert.ok(summary.contents[0].text.length > 0);
await client.close();
console.log("the TypeScript client: ok");
