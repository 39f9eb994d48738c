import { afterAll, describe, expect, test } from "vitest";
import { describeTools } from "#lib/api/mcp/mcp-tools";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callRest } from "#lib/api/rest/rest.fixture";
import { callTool } from "#lib/api/testing/mcp-test-caller";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import { SCOPES } from "#lib/contract/key/scopes";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { jobsOf } from "#lib/domain/runs/create/call-action.fixture";
import { setRun } from "#lib/domain/runs/execute/run-journal.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

await openTestDatabase();

const server = await startMcpServer(OPERATIONS);
const workspace = await addWorkspace();
const key = (await addKey(workspace, { scopes: [...SCOPES] })).raw_key;
await addAction(workspace, { slug: "held", approvalPolicy: "always" });
await addAction(workspace, { slug: "free" });
afterAll(() => server.close());

const call = (name: string, args: unknown, rawKey = key) => callTool(server.url, rawKey, name, args);
const makeRun = async (slug = "held") =>
  String((await call("run_action", { slug, input: { name: "Ada" } })).body.run_id);
/** Sends the same request over REST afterwards: both repeat the decision. */
const overRest = async (runId: string, what: "approve" | "cancel", body?: unknown) =>
  callRest("POST", `/runs/${runId}/${what}`, { key, body });

describe("approve_run", () => {
  test("approves with only a run_id and returns the same run as REST", async () => {
    const runId = await makeRun();
    const answer = await call("approve_run", { run_id: runId });
    expect(answer).toMatchObject({ status: 200, isError: false, structuredContent: answer.body });
    expect(answer.body).toMatchObject({ run_id: runId, status: "accepted", approval: { status: "approved" } });
    expect(await jobsOf(runId)).toHaveLength(1);
    expect((await overRest(runId, "approve")).body).toEqual(answer.body);
  });

  test("rejects with a comment and an approval_id", async () => {
    const run = (await call("run_action", { slug: "held", input: { name: "Ada" } })).body;
    const { body } = await call("approve_run", {
      run_id: run.run_id,
      decision: "rejected",
      comment: "Too late in the day",
      approval_id: run.approval.id,
    });
    expect(body).toMatchObject({
      status: "cancelled",
      error: { code: "APPROVAL_REJECTED" },
      approval: { status: "rejected", comment: "Too late in the day" },
    });
    const other = await call("approve_run", { run_id: run.run_id });
    expect(other).toMatchObject({ status: 200, isError: true, body: { code: "RUN_NOT_WAITING" } });
    expect(other.body).toEqual((await overRest(run.run_id, "approve")).body);
  });

  test("returns every refusal as a tool result with the same error as REST", async () => {
    const expired = await makeRun();
    await db().query("update approvals set expires_at = now() - interval '1 ms' where run_id = $1", [expired]);
    const waiting = await makeRun();
    for (const [args, code] of [
      [{ run_id: expired }, "APPROVAL_EXPIRED"],
      [{ run_id: await makeRun("free") }, "RUN_NOT_WAITING"],
      [{ run_id: uuidv7() }, "RUN_NOT_FOUND"],
      [{ run_id: waiting, decision: "maybe" }, "BAD_REQUEST"],
      [{ run_id: waiting, approval_id: uuidv7() }, "NOT_FOUND"],
      [{}, "BAD_REQUEST"],
    ] as const) {
      const answer = await call("approve_run", args);
      expect(answer, code).toMatchObject({ status: 200, isError: true, body: { code } });
      if (!("run_id" in args)) continue;
      const { run_id: runId, ...body } = args;
      expect(answer.body).toEqual((await overRest(runId, "approve", body)).body);
    }
    const misspelled = await call("approve_run", { run_id: waiting, aproved: false });
    expect(misspelled.body).toMatchObject({ code: "BAD_REQUEST", details: [{ field: "aproved" }] });
    expect(misspelled.body.error).toContain('did you mean "approved"?');
    expect(await jobsOf(waiting)).toEqual([]);
  });

  test("needs the scope approvals:decide, which keys do not have by default", async () => {
    const runId = await makeRun();
    const { raw_key: usual } = await addKey(workspace);
    expect(await call("approve_run", { run_id: runId }, usual)).toMatchObject({
      isError: true,
      body: { code: "FORBIDDEN", details: { required_scope: "approvals:decide" } },
    });
  });
});

describe("cancel_run", () => {
  test("cancels an accepted, a waiting and a running run, and returns the same run as REST", async () => {
    const runIds = [await makeRun("free"), await makeRun("held"), await makeRun("free")];
    await setRun(runIds[2] ?? "", "running");
    for (const runId of runIds) {
      const answer = await call("cancel_run", { run_id: runId });
      expect(answer).toMatchObject({ status: 200, isError: false, body: { run_id: runId, status: "cancelled" } });
      expect((await overRest(runId, "cancel")).body).toEqual(answer.body);
      expect(await jobsOf(runId)).toEqual([]);
    }
  });

  test("does not change a run that has ended", async () => {
    const runId = await makeRun("free");
    await setRun(runId, "succeeded", { text: "done" });
    expect((await call("cancel_run", { run_id: runId })).body).toMatchObject({ status: "succeeded" });
  });

  test("needs the scope actions:run; a run of another workspace is not found", async () => {
    const runId = await makeRun("free");
    const { raw_key: reader } = await addKey(workspace, { scopes: ["runs:read"] });
    const { raw_key: stranger } = await addKey(await addWorkspace());
    expect((await call("cancel_run", { run_id: runId }, reader)).body.code).toBe("FORBIDDEN");
    expect((await call("cancel_run", { run_id: runId }, stranger)).body.code).toBe("RUN_NOT_FOUND");
    expect(await jobsOf(runId)).toHaveLength(1);
  });
});

test("approve_run and cancel_run are announced as destructive, and approve_run as open-world", () => {
  const tools = new Map(describeTools(OPERATIONS).map(({ definition }) => [definition.name, definition]));
  expect(tools.get("approve_run")).toMatchObject({
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    inputSchema: { required: ["run_id"] },
  });
  expect(tools.get("cancel_run")).toMatchObject({
    annotations: { readOnlyHint: false, destructiveHint: true },
    inputSchema: { required: ["run_id"] },
  });
});
