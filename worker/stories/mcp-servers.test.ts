import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExampleServer, startBridged, startEverything } from "#lib/connectors/mcp/example-server.fixture";
import { startToolServer, type ToolServer } from "#lib/connectors/mcp/tool-server.fixture";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { loadTools } from "#lib/domain/connections/tools/stored-tools";
import { TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { cancelRun } from "#lib/domain/runs/decide/cancel-run";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { reservePort } from "#scripts/testing/reserve-port";
import { useRunStage } from "#worker/stories/run-stage.fixture";
import { until } from "#worker/supervise/worker-process.fixture";

process.env.OUTBOUND_ALLOW = "127.0.0.1";
const stage = useRunStage();
const started: { close(): void }[] = [];
let folder: string;
let fixture: ToolServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcp-files-"));
  await writeFile(join(folder, "a.txt"), "first\nsecond\n");
  await writeFile(join(folder, "dot.png"), Buffer.from("iVBORw0KGgo=", "base64"));
  fixture = await startToolServer();
  started.push(fixture);
});
afterAll(() => {
  for (const server of started) server.close();
});

async function open<Server extends ExampleServer>(server: Promise<Server>): Promise<Server> {
  const running = await server;
  started.push(running);
  return running;
}

const connect = (name: string, url: string) => stage.connect("mcp", "none", { server_url: url }, { name });

type Call = readonly [tool: string, params: JsonObject];

/** Runs a workflow whose steps call tools one after the other. Returns the ended run. */
async function runCalls(connectionId: string, calls: readonly Call[], settings: JsonObject = {}) {
  const steps = calls.map(([operation, params], index) => {
    const data = { connector: "mcp", operation, connection_id: connectionId, params, ...settings };
    return node(`t${index}`, "connector", data);
  });
  return stage.ends(await stage.start(steps, ["in", ...steps.map(({ id }) => id), "out"].join(">")));
}

/** Runs every tool that the server offers, each in a separate step. Returns the outputs by tool. */
async function runEvery(name: string, url: string, calls: readonly Call[]) {
  const id = await connect(name, url);
  const offered = (await loadTools(db(), stage.workspace.workspaceId, [id])).get(id)?.tools ?? [];
  expect(calls.map(([tool]) => tool).toSorted()).toEqual(offered.map((tool) => tool.name).toSorted());
  const { status, error, steps } = await runCalls(id, calls);
  expect({ status, error }).toEqual({ status: "succeeded", error: null });
  return new Map(calls.map(([tool], index) => [tool, steps.find((step) => step.step_id === `t${index}`)?.output]));
}

const EVERYTHING: readonly Call[] = [
  ["echo", { message: "{{action_input.name}}" }],
  ["get-annotated-message", { messageType: "success", includeImage: true }],
  ["get-env", {}],
  ["get-resource-links", { count: 2 }],
  ["get-resource-reference", { resourceType: "Text", resourceId: 1 }],
  ["get-structured-content", { location: "Chicago" }],
  ["get-sum", { a: 2, b: 3 }],
  ["get-tiny-image", {}],
  ["gzip-file-as-resource", { name: "a.gz", data: "data:text/plain;base64,aGVsbG8=", outputType: "resourceLink" }],
  ["toggle-simulated-logging", {}],
  ["toggle-subscriber-updates", {}],
  ["trigger-long-running-operation", { duration: 1, steps: 2 }],
];

describe("every tool can be called by a step of a run", () => {
  it("of the official server with all features, in sessions of 2025-11-25, including tools that run as tasks", async () => {
    const { url } = await open(startEverything());
    const calls: Call[] = [...EVERYTHING, ["simulate-research-query", { topic: "tea", ambiguous: false }]];
    const outputs = await runEvery("Everything", url, calls);
    expect(outputs.get("echo")).toMatchObject({ text: "Echo: Ada", data: null });
    expect(outputs.get("get-structured-content")).toMatchObject({ data: { temperature: expect.any(Number) } });
    expect(outputs.get("get-sum")).toMatchObject({ text: expect.stringContaining("5") });
    expect(outputs.get("simulate-research-query")).toMatchObject({ text: expect.stringContaining("tea") });
  });

  it("of the same server with the stateless protocol of 2026-07-28", async () => {
    const { url } = await open(startBridged("everything"));
    const outputs = await runEvery("Everything, stateless", url, EVERYTHING);
    expect(outputs.get("echo")).toMatchObject({ text: "Echo: Ada" });
    expect(outputs.get("get-structured-content")).toMatchObject({ data: { conditions: expect.any(String) } });
  });

  it("of the official memory server", async () => {
    const { url } = await open(startBridged("memory", join(folder, "memory.json")));
    const relation = { from: "Ada", to: "Engine", relationType: "wrote for" };
    const outputs = await runEvery("Memory", url, [
      [
        "create_entities",
        { entities: [{ name: "{{action_input.name}}", entityType: "person", observations: ["wrote"] }] },
      ],
      ["create_relations", { relations: [relation] }],
      ["add_observations", { observations: [{ entityName: "Ada", contents: ["counted"] }] }],
      ["search_nodes", { query: "Ada" }],
      ["open_nodes", { names: ["Ada"] }],
      ["read_graph", {}],
      ["delete_observations", { deletions: [{ entityName: "Ada", observations: ["wrote"] }] }],
      ["delete_relations", { relations: [relation] }],
      ["delete_entities", { entityNames: ["Ada"] }],
    ]);
    expect(outputs.get("open_nodes")).toMatchObject({
      data: { entities: [{ name: "Ada", observations: ["wrote", "counted"] }] },
    });
  });

  it("of the official file server", async () => {
    const { url } = await open(startBridged("filesystem", folder));
    const at = (name: string) => join(folder, name);
    const outputs = await runEvery("Files", url, [
      ["list_allowed_directories", {}],
      ["read_file", { path: at("a.txt") }],
      ["read_text_file", { path: at("a.txt"), head: 1 }],
      ["read_media_file", { path: at("dot.png") }],
      ["read_multiple_files", { paths: [at("a.txt")] }],
      ["write_file", { path: at("b.txt"), content: "written for {{action_input.name}}" }],
      ["edit_file", { path: at("b.txt"), edits: [{ oldText: "written", newText: "edited" }] }],
      ["create_directory", { path: at("sub") }],
      ["move_file", { source: at("b.txt"), destination: at("sub/b.txt") }],
      ["list_directory", { path: folder }],
      ["list_directory_with_sizes", { path: folder }],
      ["directory_tree", { path: folder }],
      ["search_files", { path: folder, pattern: "**/b.txt" }],
      ["get_file_info", { path: at("sub/b.txt") }],
    ]);
    expect(outputs.get("read_text_file")).toMatchObject({ text: "first" });
    expect(outputs.get("search_files")).toMatchObject({ text: expect.stringContaining("sub/b.txt") });
  });

  it("of the official server for sequential thinking", async () => {
    const { url } = await open(startBridged("sequentialThinking"));
    const thought = { thought: "first", thoughtNumber: 1, totalThoughts: 1, nextThoughtNeeded: false };
    const outputs = await runEvery("Thinking", url, [["sequentialthinking", thought]]);
    expect(outputs.get("sequentialthinking")).toMatchObject({ data: { thoughtNumber: 1 } });
  });
});

it("a restarted server loses the session, and the next call opens a new one", async () => {
  const first = await open(startEverything());
  const id = await connect("Restarted", first.url);
  expect(await runCalls(id, [["get-sum", { a: 1, b: 1 }]])).toMatchObject({ status: "succeeded" });
  first.close();
  await until("the port to be free", async () => !(await fetch(first.url).catch(() => null)));
  await open(startEverything(first.port));
  expect(await runCalls(id, [["get-sum", { a: 1, b: 1 }]])).toMatchObject({ status: "succeeded", error: null });
});

describe("a failure of a server becomes an error code of the step", () => {
  const call: readonly Call[] = [["weather", { city: "Oslo" }]];
  let id: string;
  beforeAll(async () => {
    id = await connect("Fixture", fixture.url);
  });

  it.each([
    [
      { status: 429, headers: { "retry-after": "7" } },
      { code: "RATE_LIMITED", retryAfterMs: 7_000 },
    ],
    [{ status: 401 }, { code: "AUTH_EXPIRED" }],
    [{ status: 503 }, { code: "UPSTREAM_ERROR" }],
    [
      { status: 422, json: { error: { message: "no" } } },
      { code: "VALIDATION_ERROR", reason: "service_refused" },
    ],
  ])("%o: %o", async (failure, error) => {
    fixture.failures.push(failure);
    const { status, steps } = await runCalls(id, call);
    expect(status).toBe("failed");
    expect(steps.find(({ step_id: step }) => step === "t0")?.error).toMatchObject(error);
  });

  it("a tool that fails: VALIDATION_ERROR with the tool's message", async () => {
    fixture.tools.set("broken", {
      tool: { name: "broken", inputSchema: { type: "object" } },
      answer: () => ({ content: [{ type: "text", text: "the printer is on fire" }], isError: true }),
    });
    const broken = await connect("Broken", fixture.url);
    const { error } = await runCalls(broken, [["broken", {}]]);
    expect(error).toMatchObject({
      code: "VALIDATION_ERROR",
      reason: "tool_failed",
      message: expect.stringContaining("the printer is on fire"),
    });
  });

  it("arguments that the pinned schema refuses are not sent", async () => {
    const count = fixture.requests.length;
    const { error } = await runCalls(id, [["weather", { city: { name: "{{action_input.name}}" } }]]);
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining("params.city") });
    expect(fixture.requests).toHaveLength(count);
  });

  it("a server that cannot be reached: UPSTREAM_ERROR", async () => {
    // No other test gets the port after the server ends.
    const gone = await startToolServer(await reservePort());
    const lost = await connect("Gone", gone.url);
    gone.close();
    const { error } = await runCalls(lost, call);
    expect(error).toMatchObject({ code: "UPSTREAM_ERROR", reason: "service_unreachable" });
  });
});

it("a run that is cancelled ends the call that waits for a tool", async () => {
  const state = { isCalled: false, isEnded: false };
  fixture.tools.set("slow", {
    tool: { name: "slow", inputSchema: { type: "object" } },
    answer: (_, signal) => {
      state.isCalled = true;
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          state.isEnded = true;
          resolve({ content: [] });
        });
      });
    },
  });
  const id = await connect("Slow", fixture.url);
  const step = node("t", "connector", { connector: "mcp", operation: "slow", connection_id: id, params: {} });
  const run = await stage.start([step], "in>t>out");
  await until("the call of the tool", () => state.isCalled);
  await cancelRun(run, TEST_ACTOR);
  await stage.reaches(run, "cancelled");
  await until("the end of the call", () => state.isEnded);
});
