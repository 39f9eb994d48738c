import { beforeEach, describe, expect, test } from "vitest";
import type { Caller } from "#lib/api/operations/define/caller";
import { invoke } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import type { WebOperations } from "#lib/api/operations/web-operations";
import type { ApiError } from "#lib/contract/error/api-error";
import type { Role } from "#lib/contract/workspace/roles";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await addWorkspace();
});

/** Calls operations as a member of the workspace, like the web application does. */
async function ask<Name extends keyof WebOperations>(
  name: Name,
  input: WebOperations[Name]["input"] | Record<string, unknown>,
  role: Role = "owner",
): Promise<WebOperations[Name]["output"]> {
  const operation = OPERATIONS.find((candidate) => candidate.name === name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  const caller: Caller = { kind: "user", role, name: "Ada", ...workspace };
  return (await invoke(operation, caller, input, requestContext())) as WebOperations[Name]["output"];
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "no error",
    (error: ApiError) => error.code,
  );

describe("set_action_status", () => {
  test.each([
    ["active", "paused", true],
    ["active", "archived", true],
    ["paused", "active", true],
    ["paused", "archived", true],
    ["archived", "paused", true],
    ["archived", "active", false],
    ["paused", "paused", true],
  ] as const)("%s -> %s: %s", async (from, to, isAllowed) => {
    const { slug } = await addAction(workspace, { status: from });
    const result = ask("set_action_status", { slug, status: to });
    if (isAllowed) expect(await result).toMatchObject({ slug, status: to });
    else expect(await codeOf(result)).toBe("BAD_REQUEST");
    const { rows } = await db().query("select count(*)::int as n from audit_events where workspace_id = $1", [
      workspace.workspaceId,
    ]);
    expect(rows[0].n).toBe(isAllowed && from !== to ? 1 : 0);
  });

  test("needs an editor, and an action of another workspace is not found", async () => {
    const { slug } = await addAction(workspace);
    expect(await codeOf(ask("set_action_status", { slug, status: "paused" }, "approver"))).toBe("FORBIDDEN");
    workspace = await addWorkspace();
    expect(await codeOf(ask("set_action_status", { slug, status: "paused" }))).toBe("ACTION_NOT_FOUND");
  });
});

describe("run_action in the web application", () => {
  test("creates a run with the source manual that counts against the user's limit", async () => {
    const { slug } = await addAction(workspace);
    const run = await ask("run_action", { slug, input: { name: "Ada" } }, "editor");
    expect(run).toMatchObject({ source: "manual", status: "accepted" });
    const { rows } = await db().query("select user_id, api_key_id from runs where id = $1", [run.run_id]);
    expect(rows).toEqual([{ user_id: workspace.userId, api_key_id: null }]);
    expect(await codeOf(ask("run_action", { slug, input: { name: "Ada" } }, "viewer"))).toBe("FORBIDDEN");
  });
});

describe("approve_run and cancel_run in the web application", () => {
  const waitingRun = async () => {
    const { slug } = await addAction(workspace, { approvalPolicy: "always" });
    return (await ask("run_action", { slug, input: { name: "Ada" } })).run_id;
  };

  test("an approver decides under their own name, and a viewer cannot decide", async () => {
    const run_id = await waitingRun();
    expect(await codeOf(ask("approve_run", { run_id }, "viewer"))).toBe("FORBIDDEN");
    const run = await ask("approve_run", { run_id, decision: "rejected", comment: "No" }, "approver");
    expect(run).toMatchObject({
      status: "cancelled",
      approval: { status: "rejected", decided_by: { type: "user", id: workspace.userId, name: "Ada" }, comment: "No" },
    });
  });

  test("unknown fields are refused", async () => {
    const run_id = await waitingRun();
    expect(await codeOf(ask("approve_run", { run_id, decision: "approved", note: "x" }))).toBe("BAD_REQUEST");
    expect(await codeOf(ask("cancel_run", { run_id, force: true }))).toBe("BAD_REQUEST");
  });

  test("if the workspace forbids self-approval, users cannot approve runs they started but can cancel them", async () => {
    await db().query("update workspaces set forbid_self_approval = true where id = $1", [workspace.workspaceId]);
    const run_id = await waitingRun();
    expect(await codeOf(ask("approve_run", { run_id }))).toBe("FORBIDDEN");
    expect(await ask("cancel_run", { run_id })).toMatchObject({ status: "cancelled" });
  });

  test("cancelling needs an editor, and a run of another workspace is not found", async () => {
    const run_id = await waitingRun();
    expect(await codeOf(ask("cancel_run", { run_id }, "approver"))).toBe("FORBIDDEN");
    const own = workspace;
    workspace = await addWorkspace();
    expect(await codeOf(ask("cancel_run", { run_id }))).toBe("RUN_NOT_FOUND");
    expect(await codeOf(ask("approve_run", { run_id }))).toBe("RUN_NOT_FOUND");
    workspace = own;
    expect(await ask("cancel_run", { run_id }, "editor")).toMatchObject({ approval: { status: "cancelled" } });
  });
});

describe("keys in the web application", () => {
  test("need an admin, even for reading", async () => {
    const { key_id } = await addKey(workspace);
    for (const [name, input] of [
      ["list_keys", {}],
      ["create_key", { name: "k" }],
      ["rotate_key", { key_id }],
      ["keep_both_keys", { key_id }],
      ["revoke_key", { key_id }],
    ] as const) {
      expect(await codeOf(ask(name, input, "editor")), name).toBe("FORBIDDEN");
      expect(await codeOf(ask(name, input, "admin")), name).toMatch(/^no error$/);
    }
  });

  test("no API key can call them, whatever its scopes", async () => {
    const operations = OPERATIONS.filter((operation) => operation.scope === "web");
    expect(operations.map((operation) => operation.name)).toContain("create_key");
    const caller: Caller = {
      kind: "api_key",
      keyId: "k",
      prefix: "svc_aaaa",
      name: "k",
      scopes: ["workflows:write"],
      actionSlugs: null,
      ...workspace,
    };
    for (const operation of operations) {
      expect(await codeOf(invoke(operation, caller, {}, requestContext())), operation.name).toBe("FORBIDDEN");
      expect(operation.rest, operation.name).toBeUndefined();
      expect(operation.mcp, operation.name).toBeUndefined();
    }
  });

  test("are created with a name, scopes, an expiry and actions, and the raw key is shown once", async () => {
    const { slug } = await addAction(workspace);
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const created = await ask("create_key", { name: " Bot ", scopes: ["runs:read"], expires_at, action_slugs: [slug] });
    expect(created).toMatchObject({
      name: "Bot",
      scopes: ["runs:read"],
      expires_at,
      action_slugs: [slug],
      status: "active",
      created_by: "Owner",
    });
    const { raw_key: _, ...shown } = created;
    expect((await ask("list_keys", {})).data).toEqual([shown]);
  });

  test.each([
    [{}],
    [{ name: "" }],
    [{ name: "x".repeat(101) }],
    [{ name: "k", scopes: [] }],
    [{ name: "k", scopes: ["runs:write"] }],
    [{ name: "k", expires_at: "tomorrow" }],
    [{ name: "k", expires_at: "2001-01-01T00:00:00Z" }],
    [{ name: "k", action_slugs: ["nowhere"] }],
    [{ name: "k", unknown: true }],
  ])("are not created from %j", async (input) => {
    expect(await codeOf(ask("create_key", input))).toBe("BAD_REQUEST");
  });
});

describe("create_alert_rule", () => {
  const create = (kind: string, threshold: number) =>
    ask("create_alert_rule", { workflow_id: null, kind, threshold, window_minutes: 60, min_runs: 10 });

  test.each([
    ["failures_in_a_row", 2.5, "threshold: must be a whole number from 1 to 100 for failures_in_a_row"],
    ["failures_in_a_row", 101, "threshold: must be a whole number from 1 to 100 for failures_in_a_row"],
    ["error_rate", 0.5, "threshold: must be from 1 to 100 for error_rate"],
    ["slow", 86_400_001, "threshold: must be from 1 to 86400000 for slow"],
  ])("rejects a threshold for %s of %d at its field", async (kind, threshold, message) => {
    const details = [expect.objectContaining({ field: "threshold", pointer: "/threshold" })];
    await expect(create(kind, threshold)).rejects.toMatchObject({ code: "BAD_REQUEST", status: 400, message, details });
  });

  test("an error rate can be a fraction of a percent above 1", async () => {
    expect(await create("error_rate", 2.5)).toMatchObject({ kind: "error_rate", threshold: 2.5 });
  });
});
