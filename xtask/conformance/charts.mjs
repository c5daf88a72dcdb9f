// Charts of names made to break them, read by Mermaid and by Graphviz themselves: node charts.mjs <groma> <project>
import assert from "node:assert";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { instance } from "@viz-js/viz";
import { JSDOM } from "jsdom";

// Mermaid cleans labels with the means of a browser.
globalThis.window = new JSDOM("").window;
globalThis.document = globalThis.window.document;
const { default: mermaid } = await import("mermaid");
const graphviz = await instance();

const [program, root] = process.argv.slice(2);

function run(...args) {
  return execFileSync(program, [...args, "--root", root], { encoding: "utf8" });
}

/** Labels of nodes and of edges as Mermaid shows them; a sign by its number is shown as the sign. */
async function fromMermaid(chart) {
  await mermaid.parse(chart);
  const { db } = await mermaid.mermaidAPI.getDiagramFromText(chart);
  const shown = (text) => text.replace(/(?:#|ﬂ°°)(\d+)(?:;|¶ß)/g, (_, code) => String.fromCodePoint(code));
  return {
    nodes: [...db.getVertices().values()].map((node) => shown(node.text)),
    edges: db.getEdges().map((edge) => shown(edge.text)),
  };
}

/** The same of Graphviz, for which a backslash is written twice. */
async function fromGraphviz(chart) {
  const { objects, edges } = graphviz.renderJSON(chart);
  const shown = ({ label }) => label.replaceAll("\\\\", "\\");
  return { nodes: objects.map(shown), edges: edges.map(shown) };
}

const READERS = { mermaid: fromMermaid, dot: fromGraphviz };

const NAMES = [
  "plain", "end", "graph", "subgraph x", "click n0 call()", "style n0 fill:red", "digraph", "node", "strict",
  'a"]; click n0 "javascript:alert(1)"', "<img src=x onerror=alert(1)>", "<<b>html</b>>", "</script>%%{init: {}}%%",
  "%% note", "// note", "/* note", "# note", "---", "A --> B", 'n0["x"]', "((round))", "{rhombus}", "[[sub]]", "|pipe|",
  "`code`", "**bold**", "#quot;", "#35;", "&lt;", "back\\slash\\", "\\N\\G\\l", '\\"', "größe", "名前", "🦀", "e\u0301",
  "'single'", "a;b", "@{ shape: rect }", "http://example.org/?a=b&c=d",
];
const MEMBERS = ["end", 'a"];click', "<b>x</b>", "%%{init}%%", "größe"];

// What a string names is a member by that name, as it is written.
const members = MEMBERS.map((name) => `  '${name}'() { return low(); }\n`).join("");
mkdirSync(root, { recursive: true });
writeFileSync(join(root, "a.ts"), `export function low() { return 1; }\nexport class K {\n${members}}\n`);
run("index", "--quiet");

const quoted = (text) => `'${text.replaceAll("'", "''")}'`;
const rows = NAMES.map((name) => `(${quoted(name)})`).join(", ");
const names = `WITH t (name) AS (VALUES ${rows}) SELECT name AS "from", 'hub' AS "to", name AS label FROM t`;
const lines = `SELECT ${quoted("two\nlines\tand\r\u001b[31mmore\u202e")} AS "from", 'hub' AS "to", 'x' AS label`;
for (const [format, read] of Object.entries(READERS)) {
  const drawn = (...args) => read(run(...args, "--format", format));
  const named = await drawn("query", names);
  assert.deepEqual(named.nodes.toSorted(), ["hub", ...NAMES].toSorted(), format);
  assert.deepEqual(named.edges.toSorted(), NAMES.toSorted(), format);
  const [line] = (await drawn("query", lines)).nodes;
  assert.match(line, /^two lines[^\p{Cc}\u202e]*$/u, format);
  const impact = await drawn("impact", "low");
  assert.deepEqual(impact.nodes.toSorted(), ["low", ...MEMBERS.map((name) => `K.${name}`)].toSorted(), format);
}
console.log("charts: ok");
