import { expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { addAction, type TestAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { listErrorGroups } from "#lib/domain/runs/read/list-error-groups";
import { listRunCallers } from "#lib/domain/runs/read/list-run-callers";
import { listRuns } from "#lib/domain/runs/read/list-runs";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { type Db, db, transaction } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

process.env.RUNS_PER_USER_PER_HOUR = "0";

await openTestDatabase();

const workspace = await addWorkspace();
const action = await addAction(workspace);

async function failRun(error: object, at: TestAction = action): Promise<string> {
  const { run } = await callAction({ workspace, action: at });
  await db().query("update runs set status = 'failed', completed_at = now(), error = $2 where id = $1", [
    run.run_id,
    { code: "UPSTREAM_ERROR", step_id: "call", step_name: "Call", ...error },
  ]);
  return run.run_id;
}

const filters = (more: object = {}) => ({ workspaceId: workspace.workspaceId, actionSlugs: null, ...more });

test("errors that differ only in ids and numbers are one group, whose filter lists exactly its runs", async () => {
  const order = "0199b7c2-8d10-7c11-9f3e-1b5e02d7a91e";
  const same = [
    await failRun({ message: "api.example.com answered 500 for order 17" }),
    await failRun({ message: "api.example.com answered 500 for order 90210" }),
  ];
  const byId = [
    await failRun({ message: `order ${order} is closed` }),
    await failRun({ message: "order 0199B7C2-8D10-7C11-9F3E-1B5E02D7A9FF is closed" }),
  ];
  const others = [
    await failRun({ message: "api.example.com answered 404 for order 17" }),
    await failRun({ message: "api.example.com answered 500 for order 17", code: "TIMEOUT" }),
    await failRun({ message: "api.example.com answered 500 for order 17", step_id: "other" }),
    await failRun({ message: "api.example.com answered 500 for order 17" }, await addAction(workspace)),
  ];
  const { data, is_partial: isPartial } = await listErrorGroups(filters());
  expect(isPartial).toBe(false);
  expect(data.map(({ runs }) => runs)).toEqual([2, 2, ...others.map(() => 1)]);
  const first = data.find(({ last_run_id: last }) => last === same[1]);
  expect(first).toMatchObject({ code: "UPSTREAM_ERROR", message: "api.example.com answered 500 for order 90210" });
  for (const ids of [same, byId]) {
    const group = data.find(({ last_run_id: last }) => last === ids[1]);
    const page = await listRuns(filters({ errorGroup: group?.error_group }), {
      limit: 20,
      order: "asc",
      withSteps: false,
    });
    expect(page.data.map((run) => run.run_id)).toEqual(ids);
  }
});

test("groups follow the filters of the list, and never cross workspaces", async () => {
  const other = await addAction(workspace);
  await failRun({ message: "only here" }, other);
  expect((await listErrorGroups(filters({ workflowId: other.workflowId }))).data).toMatchObject([
    { runs: 1, message: "only here", workflow_id: other.workflowId, step_name: "Call" },
  ]);
  const later = new Date(Date.now() + 60_000);
  expect((await listErrorGroups(filters({ createdAfter: later }))).data).toEqual([]);
  expect((await listErrorGroups(filters({ sources: ["webhook"] }))).data).toEqual([]);
  const elsewhere = await addWorkspace();
  expect((await listErrorGroups(filters({ workspaceId: elsewhere.workspaceId }))).data).toEqual([]);
});

test("a history beyond the limit is counted up to its newest errors, from the index alone", async () => {
  const many = await addWorkspace();
  const busy = await addAction(many);
  const { run } = await callAction({ workspace: many, action: busy });
  await db().query(
    `insert into runs (id, workspace_id, workflow_id, workflow_version_id, source, status, input, error, correlation_id, created_at, completed_at)
     select gen_random_uuid(), workspace_id, workflow_id, workflow_version_id, source,
       case when n % 4 = 0 then 'failed' else 'succeeded' end, '{}', case when n % 4 = 0
         then jsonb_build_object('code', 'UNKNOWN', 'message', 'problem ' || chr(97 + n % 3)) end, n::text, now() - n * interval '1 second', now()
     from runs, generate_series(1, $2::int) n where id = $1`,
    [run.run_id, 4 * (LIMITS.errorGroupRuns + 10)],
  );
  // The index alone is enough once the pages are known to be visible to all.
  await db().query("vacuum analyze runs");
  const groups = await listErrorGroups({ workspaceId: many.workspaceId, actionSlugs: null });
  expect(groups.is_partial).toBe(true);
  expect(groups.data.reduce((sum, { runs }) => sum + runs, 0)).toBe(LIMITS.errorGroupRuns);
  const plans: string[] = [];
  await transaction(async (tx) => {
    // As for a history that does not fit into memory.
    await tx.query({ text: "set local enable_seqscan = off" });
    await tx.query({ text: "set local enable_bitmapscan = off" });
    const explaining: Db = {
      query: async ({ text, values = [] }) => {
        const { rows } = await tx.query({ text: `explain (costs off) ${text}`, values });
        plans.push(...rows.map((row) => String(row["QUERY PLAN"])));
        return tx.query({ text, values });
      },
    };
    await listErrorGroups({ workspaceId: many.workspaceId, actionSlugs: null }, explaining);
  });
  expect(plans.join("\n")).toContain("Index Only Scan Backward using runs_errors");
});

test("the callers of a page of runs come in one answer: keys with their prefix, people by name, triggers without", async () => {
  const key = await addKey(workspace);
  const byKey = (await callAction({ workspace, action }, { apiKeyId: key.key_id })).run.run_id;
  const byHand = (await callAction({ workspace, action })).run.run_id;
  const byTrigger = (await callAction({ workspace, action })).run.run_id;
  await db().query("update runs set source = 'manual' where id = $1", [byHand]);
  await db().query("update runs set source = 'webhook' where id = $1", [byTrigger]);
  const elsewhere = await addWorkspace();
  const foreign = (await callAction({ workspace: elsewhere, action: await addAction(elsewhere) })).run.run_id;
  const callers = await listRunCallers(workspace.workspaceId, [byKey, byHand, byTrigger, foreign]);
  const byRun = new Map(callers.map(({ run_id: id, ...caller }) => [id, caller]));
  expect(byRun.get(byKey)).toEqual({ kind: "key", name: key.name, prefix: key.prefix });
  expect(byRun.get(byHand)).toMatchObject({ kind: "person", prefix: null });
  expect(byRun.get(byTrigger)).toEqual({ kind: "trigger", name: null, prefix: null });
  expect(byRun.has(foreign)).toBe(false);
});
