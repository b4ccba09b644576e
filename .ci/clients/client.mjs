// Drive `everything` with the official TypeScript client, in both eras and over both transports.
//
//     client.mjs URL EVERYTHING
//
// URL is where `everything` serves; EVERYTHING is its executable, for standard input and output.
// Prints each check that fails, and how many passed. Exit status 1 when one failed.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const require = createRequire(join(process.cwd(), "here.js"));
const entry = require.resolve("@modelcontextprotocol/client");
const { Client, StreamableHTTPClientTransport } = require("@modelcontextprotocol/client");
const { StdioClientTransport } = require("@modelcontextprotocol/client/stdio");
const { version } = JSON.parse(readFileSync(join(dirname(entry), "..", "package.json"), "utf8"));

const WATCHED = "test://watched-resource";
const [url, everything] = process.argv.slice(2);

/** A client, with what its user says and what it was told. */
class Peer {
  constructor(era, over) {
    Object.assign(this, { era, over, answers: {}, asked: [], told: [] });
    this.client = new Client(
      { name: "check", version: "1.0.0" },
      {
        capabilities: { elicitation: { form: {} } },
        versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: "2026-07-28" } },
        inputRequired: { maxRounds: 20 },
      },
    );
    this.client.setRequestHandler("elicitation/create", ({ params }) => {
      this.asked.push(params.message);
      const found = Object.entries(this.answers).find(([words]) => params.message.includes(words));
      assert(found, `nobody has an answer to ${params.message}`);
      const [, answer] = found;
      return answer.action ? answer : { action: "accept", content: answer };
    });
    for (const kind of ["notifications/resources/updated", "notifications/tools/list_changed"]) {
      this.client.setNotificationHandler(kind, () => void this.told.push(kind));
    }
  }

  async text(name, args = {}, options) {
    const result = await this.client.callTool({ name, arguments: args }, options);
    assert(!result.isError, JSON.stringify(result));
    return result.content[0].text;
  }
}

async function until(holds) {
  for (const end = Date.now() + 10_000; !(await holds()); await sleep(20)) {
    assert(Date.now() < end, "it did not come to that");
  }
}

const checks = {
  async "negotiate"(peer) {
    const modern = "2026-07-28";
    const version = peer.client.getNegotiatedProtocolVersion();
    assert.equal(version, peer.era === "legacy" ? "2025-11-25" : modern);
  },
  async "list"(peer) {
    const { tools } = await peer.client.listTools();
    const names = tools.map((tool) => tool.name);
    for (const name of ["echo", "sum", "plan", "book", "slow"]) assert(names.includes(name), name);
    assert((await peer.client.listPrompts()).prompts.length > 0);
    assert((await peer.client.listResources()).resources.length > 0);
    assert((await peer.client.listResourceTemplates()).resourceTemplates.length > 0);
  },
  async "call"(peer) {
    assert.equal(await peer.text("echo", { text: "Grüße" }), "Grüße");
  },
  async "call with mirrored parameters"(peer) {
    await peer.client.listTools();
    const said = await peer.text("region", { region: "nord-süd", count: 7 });
    assert.equal(said, "region=nord-süd count=7");
  },
  async "an error of the tool"(peer) {
    const result = await peer.client.callTool({ name: "echo", arguments: { text: 7 } });
    assert(result.isError && result.content[0].text.includes("text"));
  },
  async "structured output"(peer) {
    await peer.client.listTools();
    const result = await peer.client.callTool({ name: "sum", arguments: { a: 2, b: 3 } });
    assert.deepEqual(result.structuredContent, { sum: 5 });
  },
  async "two questions in one round"(peer) {
    peer.answers = { dinner: { dish: "stew" }, "how many": { guests: 4 } };
    assert.equal(await peer.text("plan"), "stew for 4");
    assert.equal(peer.asked.length, 2);
  },
  async "two questions one after the other"(peer) {
    peer.answers = { When: { day: "Sunday", seats: 2 }, "Take them": { sure: true } };
    assert.match(await peer.text("book", { film: "Stalker" }), /^Stalker, Sunday, seats /);
    assert.equal(peer.asked.length, 2);
  },
  async "decline"(peer) {
    peer.answers = { name: { action: "decline" } };
    assert.equal(await peer.text("ask_name"), "no name");
  },
  async "cancel"(peer) {
    peer.answers = { name: { action: "cancel" } };
    assert.equal(await peer.text("ask_name"), "no name");
  },
  async "progress"(peer) {
    const seen = [];
    const onprogress = ({ progress, total }) => seen.push([progress, total]);
    await peer.text("test_tool_with_progress", {}, { onprogress });
    // What comes too fast is told by the newest; and what this client drops, README.md says.
    const [last] = seen.slice(-1);
    assert(last && last[1] === 100 && seen.every(([at], n) => n === 0 || at > seen[n - 1][0]));
  },
  async "read a resource"(peer) {
    const { contents } = await peer.client.readResource({ uri: "test://a" });
    assert.equal(contents[0].text, "This is resource a.");
  },
  async "get a prompt"(peer) {
    const prompt = await peer.client.getPrompt({ name: "greet_named", arguments: { name: "Ann" } });
    assert.equal(prompt.messages[0].content.text, "Hello, Ann");
  },
  async "a prompt that asks"(peer) {
    peer.answers = { context: { context: "tea" } };
    const prompt = await peer.client.getPrompt({ name: "test_input_required_result_prompt" });
    assert.equal(prompt.messages[0].content.text, "Use this context: tea");
  },
  async "complete"(peer) {
    const { completion } = await peer.client.complete({
      ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
      argument: { name: "arg1", value: "te" },
    });
    assert.deepEqual(completion.values, ["tea", "test", "testing"]);
  },
  async "listen for a change"(peer) {
    const filter = { toolsListChanged: true, resourceSubscriptions: [WATCHED] };
    const listening = peer.era === "modern" && (await peer.client.listen(filter));
    if (!listening) await peer.client.subscribeResource({ uri: WATCHED });
    await peer.text("touch", { uri: WATCHED });
    await peer.text("test_trigger_tool_change");
    await until(() => new Set(peer.told).size === 2);
    if (listening) await listening.close();
  },
  async "listening ends"(peer) {
    if (peer.era === "legacy") return;
    const listening = await peer.client.listen({ toolsListChanged: true });
    await peer.text("hang_up");
    // What stands in README.md of this client.
    assert.equal(await listening.closed, peer.over === "http" ? "graceful" : "remote");
  },
  async "abort"(peer) {
    const tag = `typescript ${peer.era} ${process.pid} ${Math.random()}`;
    const abort = new AbortController();
    const fateIs = (fate) => until(async () => (await peer.text("fate", { tag })) === fate);
    const call = peer.text("slow", { ms: 30_000, tag }, { signal: abort.signal });
    const aborted = assert.rejects(call);
    await fateIs("running");
    abort.abort("enough");
    await aborted;
    await fateIs("cancelled");
  },
};

const transports = {
  http: () => new StreamableHTTPClientTransport(new URL(url)),
  stdio: () => new StdioClientTransport({ command: everything, args: ["--stdio"], stderr: "ignore" }),
};

let passed = 0;
let failed = 0;
for (const [over, transport] of Object.entries(transports)) {
  for (const era of ["modern", "legacy"]) {
    const name = `@modelcontextprotocol/client ${version}, ${era}, ${over}`;
    let good = 0;
    for (const [what, check] of Object.entries(checks)) {
      const peer = new Peer(era, over);
      try {
        await peer.client.connect(transport(), { timeout: 20_000 });
        await check(peer);
        good += 1;
      } catch (problem) {
        failed += 1;
        console.log(`${name}: ${what} failed:\n${problem.stack}`);
      } finally {
        await peer.client.close().catch(() => {});
      }
    }
    passed += good;
    console.log(`${name}: ${good} of ${Object.keys(checks).length} checks passed`);
  }
}
console.log(`typescript: ${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
