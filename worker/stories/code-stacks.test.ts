import { afterAll, beforeAll, expect, test } from "vitest";
import { invoke } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callRest } from "#lib/api/rest/rest.fixture";
import { callTool } from "#lib/api/testing/mcp-test-caller";
import { type McpTestServer, startMcpServer } from "#lib/api/testing/mcp-test-server";
import { addKey } from "#lib/domain/keys/key.fixture";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { placesOf } from "#lib/platform/db/find-text.fixture";
import { db } from "#lib/platform/db/pool";
import { between, useRunStage } from "#worker/stories/run-stage.fixture";

const stage = useRunStage();

let server: McpTestServer;
let key: string;
beforeAll(async () => {
  server = await startMcpServer(OPERATIONS);
  key = (await addKey(stage.workspace)).raw_key;
});
afterAll(() => server.close());

/** Whatever names a file of this machine or of the product. */
const HOST_PATHS = [process.cwd(), "node_modules", "lib/platform", "worker/", "file://", "node:internal", ".fixture"];

const code = (id: string, source: string, more: object = {}) => node(id, "code", { source, input: {}, ...more });
/** Steps that put a stack into everything that a code step can leave: its result, its console, and its error. */
const RETURNS = code(
  "returns",
  `const stack = (() => { try { null.x } catch (error) { return error.stack } })();
   console.log(stack);
   return { stack, url: (() => { try { new URL("no") } catch (error) { return error.stack } })() };`,
);
const FAILS = code("fails", `const error = new Error("no"); error.message = error.stack; throw error;`);
const CONTINUES = code("continues", `throw new TypeError(new Error("inner").stack)`, { continueOnFailure: true });
const OUT = node("out", "return_output", {
  properties: [{ name: "stack", type: "string", value: "{{returns.stack}}" }],
});

/** Returns everything that someone can read of a run, as texts by where it is. */
async function readEverywhere({ workspaceId, runId }: RunReference): Promise<Record<string, string>> {
  const { rows: journal } = await db().query(
    "select coalesce(jsonb_agg(to_jsonb(e)), '[]')::text as text from journal_events($1) e",
    [runId],
  );
  const { rows: row } = await db().query("select to_jsonb(r)::text as text from runs r where id = $1", [runId]);
  const rest = await callRest("GET", `/runs/${runId}?include=events`, { key });
  const list = await callRest("GET", "/runs?include=steps", { key });
  const tool = await callTool(server.url, key, "get_run_status", { run_id: runId });
  const short = await callTool(server.url, key, "get_run_status", { run_id: runId, view: "short" });
  const caller = { kind: "user", role: "viewer", name: "Ada", ...stage.workspace, workspaceId } as const;
  const read = async (name: string, input: object) => {
    const operation = OPERATIONS.find((one) => one.name === name);
    if (!operation) throw new Error(`there is no operation ${name}`);
    return JSON.stringify(await invoke(operation, caller, input, requestContext()));
  };
  return {
    journal: journal[0].text,
    row: row[0].text,
    rest: JSON.stringify(rest.body),
    list: JSON.stringify(list.body),
    tool: JSON.stringify(tool.body),
    short: JSON.stringify(short.body),
    web: await read("get_run_status", { run_id: runId, steps: "full" }),
    graph: await read("get_run_graph", { run_id: runId }),
    step: await read("get_run_step", { run_id: runId, step_id: "returns" }),
  };
}

test.each([
  ["succeeds", between([RETURNS, CONTINUES, OUT], "in>returns>continues>out"), "succeeded"],
  ["fails", between([RETURNS, FAILS, OUT], "in>returns>fails>out"), "failed"],
] as const)(
  "a run of code that %s shows stacks with places in its source, and no path of the machine",
  async (_, definition, status) => {
    const run = await stage.startDefinition(definition);
    await stage.reaches(run, status);
    const texts = await readEverywhere(run);
    for (const [place, text] of Object.entries(texts)) {
      // The graph shows no results.
      if (place !== "graph") expect(text, place).toContain("code.ts:");
      for (const path of HOST_PATHS) expect(text, `${place}: ${path}`).not.toContain(path);
    }
    expect(await placesOf([process.cwd()])).toEqual([]);
  },
);
