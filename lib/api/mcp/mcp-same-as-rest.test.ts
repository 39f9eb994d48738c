import { afterAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callRest } from "#lib/api/rest/rest.fixture";
import { callTool, sendRpc } from "#lib/api/testing/mcp-test-caller";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import { SCOPES } from "#lib/contract/key/scopes";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { setRun } from "#lib/domain/runs/execute/run-journal.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

await openTestDatabase();

const server = await startMcpServer(OPERATIONS);
const short = await startMcpServer(OPERATIONS, "?answers=short");
const workspace = await addWorkspace();
const key = (await addKey(workspace, { scopes: [...SCOPES] })).raw_key;
await addAction(workspace, { slug: "held", approvalPolicy: "always" });
await addAction(workspace, { slug: "free" });
afterAll(async () => {
  await server.close();
  await short.close();
});

const INPUT = { name: "Ada" };
/** A value for every required argument and for what a body needs. A new argument needs one here. */
const VALUES: Record<string, unknown> = {
  slug: "free",
  input: INPUT,
  items: [{ input: INPUT }, { input: {} }, { input: INPUT, dry_run: true }],
  decision: "approved",
};
const makeRun = async (slug = "held") =>
  String((await callTool(server.url, key, "run_action", { slug, input: INPUT })).body.run_id);

const TWINS = OPERATIONS.flatMap(({ name, rest, mcp, input }) => (rest && mcp ? [{ name, rest, input }] : []));

/** Arguments besides the required ones with which a tool is tried, too. */
const VARIANTS: Record<string, JsonObject[]> = {
  list_actions: [{ status: "all", order: "asc" }, { q: "hel" }, { limit: 1 }],
  list_runs: [{ include: "steps" }, { status: "waiting_for_approval,cancelled", limit: 2 }, { error_text: "price" }],
  get_run_status: [{ steps: "summary" }, { steps: "failed" }, { include: "events" }],
  run_action: [{ dry_run: true }, { correlation_id: "order-1" }],
  approve_run: [{ decision: "rejected", comment: "Too late" }],
};

async function argumentsOf({ name, rest, input }: (typeof TWINS)[number], variant: JsonObject): Promise<JsonObject> {
  const isWrite = rest.method === "POST";
  const wanted = Object.entries(input.shape).filter(([field, schema]) => {
    return !schema.safeParse(undefined).success || (isWrite && field in VALUES);
  });
  const args = wanted.map(async ([field]): Promise<[string, unknown]> => {
    if (field === "run_id") return [field, await makeRun()];
    if (!(field in VALUES)) throw new Error(`${name}: add a value for ${field}`);
    return [field, VALUES[field]];
  });
  const isIdempotent = "idempotency_key" in input.shape;
  return {
    ...Object.fromEntries(await Promise.all(args)),
    ...(isIdempotent ? { idempotency_key: uuidv7() } : {}),
    ...variant,
  };
}

/** Sends over REST what the tool's arguments say. */
async function overRest({ rest }: (typeof TWINS)[number], args: JsonObject) {
  const { idempotency_key, ...given } = args;
  const path = rest.path.replace(/:(\w+)/g, (_, name) => String(given[name]));
  const body = Object.fromEntries(Object.entries(given).filter(([name]) => !rest.path.includes(`:${name}`)));
  const headers: Record<string, string> = {};
  if (typeof idempotency_key === "string") headers["idempotency-key"] = idempotency_key;
  if (rest.method === "POST") return callRest("POST", path, { key, body, headers });
  const query = new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)]));
  return callRest("GET", `${path}?${query}`, { key, headers });
}

const CASES = TWINS.flatMap((twin) => [{}, ...(VARIANTS[twin.name] ?? [])].map((variant) => ({ twin, variant })));

describe("a tool with a REST twin", () => {
  test("exists for every runtime endpoint of the contract", () => {
    expect(TWINS.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "list_actions",
        "get_action",
        "run_action",
        "list_runs",
        "get_run_status",
        "approve_run",
      ]),
    );
  });

  test.each(CASES.map((one) => [one.twin.name, JSON.stringify(one.variant), one] as const))(
    "%s %s answers the REST body, unchanged and with its nulls",
    async (name, _, { twin, variant }) => {
      const args = await argumentsOf(twin, variant);
      // The first call changes something, and every further one repeats its answer.
      await overRest(twin, args);
      const tool = await callTool(server.url, key, name, args);
      const rest = await overRest(twin, args);
      expect({ isError: tool.isError, body: tool.body }).toEqual({ isError: false, body: rest.body });
      expect(tool.structuredContent).toEqual(rest.body);
      expect((await callTool(short.url, key, name, { ...args, view: "full" })).body).toEqual(rest.body);
      expect((await callTool(server.url, key, name, { ...args, view: null })).body).toEqual(rest.body);
    },
  );
});

describe("a tool that returns a run without a path of its own", () => {
  const restOf = async (runId: string) => (await callRest("GET", `/runs/${runId}`, { key })).body;

  test("wait_for_run answers the run of GET /runs/:runId", async () => {
    const runId = await makeRun("free");
    await setRun(runId, "failed", { code: "UNKNOWN", message: "no price" });
    const args = { run_id: runId, timeout_seconds: 0 };
    expect((await callTool(server.url, key, "wait_for_run", args)).body).toEqual(await restOf(runId));
  });

  test("replay_run answers the whole new run, with the ids that the contract names", async () => {
    const runId = await makeRun("free");
    await setRun(runId, "succeeded", { text: "done" });
    const { body } = await callTool(server.url, key, "replay_run", { run_id: runId, mode: "from_start" });
    expect(body).toEqual(await restOf(body.run_id));
    const { workflow_id, workflow_version_id } = await restOf(runId);
    expect(body).toMatchObject({ source: "replay", resume_from_run_id: runId, output: null, steps: [] });
    expect(body).toMatchObject({ workflow_id, workflow_version_id });
    expect([workflow_id, workflow_version_id]).toEqual([expect.any(String), expect.any(String)]);
  });

  test("run_action with wait_seconds answers the whole run when the time is up", async () => {
    const args = { slug: "held", input: INPUT, wait_seconds: 0 };
    const { body } = await callTool(server.url, key, "run_action", args);
    expect(body).toEqual(await restOf(body.run_id));
  });
});

describe("the form of an answer", () => {
  const isShort = ({ body }: { body: JsonObject }) => !Object.values(body).includes(null);

  test.each(["get_run_status", "wait_for_run", "cancel_run"])(
    "of %s depends on the address and on view, and on nothing else",
    async (name) => {
      const args = { run_id: await makeRun(), ...(name === "wait_for_run" ? { timeout_seconds: 0 } : {}) };
      const forms = [
        [server.url, {}, false],
        [server.url, { view: "full" }, false],
        [server.url, { view: "short" }, true],
        [server.url, name === "get_run_status" ? { steps: "failed" } : {}, false],
        [short.url, {}, true],
        [short.url, { view: "short" }, true],
        [short.url, { view: "full" }, false],
        [`${server.url}?answers=full`, {}, false],
        [`${server.url}?answers=brief`, {}, false],
        [`${short.url}&tools=run`, {}, true],
      ] as const;
      for (const [url, view, expected] of forms) {
        const answer = await callTool(url, key, name, { ...args, ...view });
        expect([url, view, isShort(answer)]).toEqual([url, view, expected]);
        expect(answer.structuredContent).toEqual(answer.body);
      }
    },
  );

  test("with an unknown view is refused with the two that exist", async () => {
    const { isError, body } = await callTool(server.url, key, "list_runs", { view: "long" });
    expect([isError, body.code, body.details[0].field]).toEqual([true, "BAD_REQUEST", "view"]);
    expect(body.error).toMatch(/full.*short/);
  });

  test("is short without nulls for every tool that only reads", async () => {
    for (const [name, args] of [
      ["get_action", { slug: "free" }],
      ["list_actions", {}],
      ["list_runs", {}],
      ["list_workflows", {}],
      ["list_connectors", { q: "http" }],
    ] as const) {
      expect([name, isShort(await callTool(short.url, key, name, args))]).toEqual([name, true]);
    }
  });

  test("is named by the instructions of the server", async () => {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const read = async (url: string) => (await sendRpc(url, key, "initialize", params)).body.result.instructions;
    expect(await read(server.url)).toContain("Answers are the whole objects of the REST API.");
    expect(await read(short.url)).toContain("Answers are short");
  });

  test("can hold the events and steps that a call names, however short it is", async () => {
    const runId = await makeRun();
    const { body } = await callTool(short.url, key, "get_run_status", { run_id: runId, include: "events" });
    expect(body.events).toEqual([]);
    const listed = await callTool(short.url, key, "list_runs", { include: "steps", limit: 1 });
    expect(listed.body.data[0].steps).toEqual([]);
  });
});
