import { beforeEach, describe, expect, test } from "vitest";
import type { ApiError } from "#lib/contract/error/api-error";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import { LIMITS } from "#lib/contract/limits";
import { addAction, addRelease, type TestAction } from "#lib/domain/actions/action.fixture";
import { batchRuns, callBatch, isRun, item, itemsNamed, keyed, outcomes } from "#lib/domain/runs/create/batch.fixture";
import { callAction, countRows, jobsOf, runRequest, type Stage } from "#lib/domain/runs/create/call-action.fixture";
import { prepareRuns } from "#lib/domain/runs/create/new-run";
import { type ActionCall, type BatchItem, createBatch, inBatchTurn } from "#lib/domain/runs/create/run-actions";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { unseal } from "#lib/platform/secrets/seal";

useTestDatabase();

let workspace: TestWorkspace;
let action: TestAction;
beforeEach(async () => {
  workspace = await addWorkspace();
  action = await addAction(workspace);
});

const stage = (): Stage => ({ workspace, action });
const batch = (items: BatchItem[], more: Partial<ActionCall> = {}) => callBatch(stage(), items, more);
const runCount = () => countRows(stage(), "runs");

describe("a batch", () => {
  test("creates a queued run for each item, and answers in the order of the items", async () => {
    const names = Array.from({ length: LIMITS.batchRuns }, (_, index) => `item ${index}`);
    const runs = batchRuns(await batch(itemsNamed(...names)));
    expect(runs.map(({ input }) => input.name)).toEqual(names);
    expect(await countRows(stage(), "run_queue")).toBe(names.length);
    const { userId } = await addWorkspace();
    expect(runs[0]).toEqual({
      ...(await callAction(stage(), { input: { name: "item 0" }, userId })).run,
      run_id: runs[0]?.run_id,
      correlation_id: runs[0]?.run_id,
      created_at: runs[0]?.created_at,
    });
  });

  test("is written in one transaction", async () => {
    await batch(keyed("a", "b", "c"));
    const { rows } = await db().query(
      `select count(distinct xmin::text)::int as transactions from (
         select xmin from runs where workspace_id = $1 union all select xmin from run_queue where workspace_id = $1
         union all select xmin from idempotency_keys where workspace_id = $1) written`,
      [workspace.workspaceId],
    );
    expect(rows).toEqual([{ transactions: 1 }]);
  });

  test("leaves nothing if it is cut off in the middle: no run, no job, no key, no use of the quota", async () => {
    workspace = await addWorkspace("free");
    action = await addAction(workspace);
    await db().query(`
      create function cut_off() returns trigger language plpgsql as $$ begin raise exception 'cut off'; end $$;
      create trigger cut_off before insert on runs for each row
        when (new.input ->> 'name' = 'cut off') execute function cut_off()`);
    try {
      await expect(batch(keyed("a", "cut off", "b"))).rejects.toThrow("cut off");
    } finally {
      await db().query("drop trigger cut_off on runs; drop function cut_off()");
    }
    for (const table of ["runs", "run_queue", "idempotency_keys", "usage_months"]) {
      expect(await countRows(stage(), table), table).toBe(0);
    }
    expect(outcomes(await batch(keyed("a", "cut off", "b")))).toEqual(["run", "run", "run"]);
  });

  test("refuses an item whose input does not match, naming its fields, and runs the others", async () => {
    const answers = await batch([item(), item({ input: { name: 7, count: "x" } }), item({ input: {} }), item()]);
    expect(outcomes(answers)).toEqual(["run", "INPUT_VALIDATION_FAILED", "INPUT_VALIDATION_FAILED", "run"]);
    const single = await errorOf(callAction(stage(), { input: { name: 7, count: "x" } }));
    expect((answers[1] as ApiError).toBody()).toEqual(single.toBody());
    expect(answers[2]).toMatchObject({ details: [{ field: "name", pointer: "/name", code: "required" }] });
    expect(await countRows(stage(), "run_queue")).toBe(2);
  });

  test("stores redacted input in the clear and the caller's own values sealed, item by item", async () => {
    const [first, second] = batchRuns(await batch(itemsNamed("ada@lovelace.example", "Ada")));
    expect(first?.input).toEqual({ name: "[REDACTED_EMAIL]", count: 1 });
    const { rows } = await db().query("select input, input_sealed from runs where id = any($1) order by id = $2", [
      [first?.run_id, second?.run_id],
      second?.run_id,
    ]);
    expect(rows[0].input).toEqual({ name: "[REDACTED_EMAIL]", count: 1 });
    expect(JSON.stringify(rows)).not.toContain("lovelace");
    expect(unseal(workspace.workspaceId, `input|${first?.run_id}`, rows[0].input_sealed)).toEqual({
      name: "ada@lovelace.example",
      count: 1,
    });
    expect(rows[1].input_sealed).toBeNull();
  });

  test("keeps a correlation id per item; the default is the run's own id", async () => {
    const runs = batchRuns(await batch([item({ correlationId: "order-1" }), item()]));
    expect(runs.map((run) => run.correlation_id)).toEqual(["order-1", runs[1]?.run_id]);
  });

  test("opens an approval request for each run of an action that requires approval, and queues none", async () => {
    await db().query("update actions set approval_policy = 'always' where id = $1", [action.actionId]);
    const runs = batchRuns(await batch([...itemsNamed("a", "b"), item({ dryRun: true })]));
    expect(runs.map(({ status }) => status)).toEqual(["waiting_for_approval", "waiting_for_approval", "succeeded"]);
    const { rows } = await db().query(
      `select id, run_id, extract(epoch from expires_at - requested_at)::int as seconds from approvals
       where workspace_id = $1 and kind = 'policy' and status = 'pending'`,
      [workspace.workspaceId],
    );
    const opened = runs.slice(0, 2).map((run) => ({ id: run.approval?.id, run_id: run.run_id, seconds: 3600 }));
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(expect.arrayContaining(opened));
    expect(await countRows(stage(), "run_queue")).toBe(0);
  });

  test("of a paused action is refused as a whole", async () => {
    await db().query("update actions set status = 'paused' where id = $1", [action.actionId]);
    expect((await errorOf(batch(keyed("a", "b")))).reason).toBe("action_inactive");
    expect((await errorOf(batch([item()], { slug: "missing" }))).code).toBe("ACTION_NOT_FOUND");
    expect(await runCount()).toBe(0);
  });

  test("uses one release for all its runs: nothing is written if the action changed for only some of them", async () => {
    const [before, after] = [await runRequest(stage()), await runRequest(stage())];
    await addRelease(db(), workspace, action, 2, {});
    const current = await runRequest(stage());
    const made = await createBatch(await prepareRuns([current, before, after]));
    expect(made).toEqual([{ outcome: "stale" }, { outcome: "stale" }, { outcome: "stale" }]);
    expect(await runCount()).toBe(0);
    expect(batchRuns(await batch(itemsNamed("a", "b"))).map((run) => run.action_release_version)).toEqual([2, 2]);
  });
});

describe("limits that a batch reaches in the middle", () => {
  async function addPast(many: number): Promise<void> {
    await db().query(
      `insert into runs (id, workspace_id, workflow_id, workflow_version_id, source, status, input, correlation_id, user_id, created_at)
       select gen_random_uuid(), $1, $2, $3, 'manual', 'accepted', '{}', 'past', $4, now() - interval '10 minutes'
       from generate_series(1, $5)`,
      [workspace.workspaceId, action.workflowId, action.versionId, workspace.userId, many],
    );
  }

  test("refuse the items above the user's hundred runs an hour, with the time to wait, and run those below", async () => {
    await addPast(97);
    const answers = await batch([...itemsNamed("a", "b"), item({ dryRun: true }), ...itemsNamed("c", "d", "e")]);
    const above = "RATE_LIMIT_EXCEEDED";
    expect(outcomes(answers)).toEqual(["run", "run", "run", "run", above, above]);
    expect(answers[4]).toMatchObject({ reason: "user_run_limit", message: "Run limit exceeded (100 per hour)" });
    expect((answers[4] as ApiError).retryAfterSeconds).toBeGreaterThan(45 * 60);
    expect(await countRows(stage(), "runs", "user_id is not null")).toBe(100);
  });

  test("are exact for batches and single calls at once", async () => {
    await addPast(80);
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => batch(itemsNamed("a", "b", "c", "d", "e", "f"))),
      ...Array.from({ length: 10 }, () =>
        callAction(stage()).then(
          (answer) => [answer],
          (error: ApiError) => [error],
        ),
      ),
    ]);
    expect(answers.flat().filter(isRun)).toHaveLength(20);
    expect(await countRows(stage(), "runs", "user_id is not null")).toBe(100);
  });

  test("refuse the items above the month's quota, which counts only the runs", async () => {
    workspace = await addWorkspace("free");
    action = await addAction(workspace);
    const month = "date_trunc('month', now() at time zone 'UTC')::date";
    await db().query(`insert into usage_months values ($1, ${month}, 998)`, [workspace.workspaceId]);
    const answers = await batch([...itemsNamed("a", "b", "c"), item({ dryRun: true })]);
    expect(outcomes(answers)).toEqual(["run", "run", "QUOTA_EXCEEDED", "run"]);
    const { rows } = await db().query("select runs from usage_months where workspace_id = $1", [workspace.workspaceId]);
    expect(rows).toEqual([{ runs: 1000 }]);
  });

  test("do not count an item that gets a first answer", async () => {
    await addPast(98);
    expect(outcomes(await batch(keyed("a", "a", "a", "b", "c")))).toEqual([
      "run",
      "replayed",
      "replayed",
      "run",
      "RATE_LIMIT_EXCEEDED",
    ]);
  });
});

test("a dry run in a batch is recorded as succeeded and not queued", async () => {
  const [run] = batchRuns(await batch([item({ dryRun: true })]));
  expect(run).toMatchObject({ source: "dry_run", status: "succeeded", dry_run: true });
  expect(await jobsOf(run?.run_id ?? "")).toEqual([]);
});

/** Starts batches that end only when the test ends them, and records the order in which they get their turn. */
function startBatches() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (callerId: string, name: string) =>
    inBatchTurn(callerId, () => {
      started.push(name);
      return new Promise<void>((resolve) => {
        ends.set(name, resolve);
      });
    });
  return { started, start, end: (name: string) => ends.get(name)?.() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a key writes two batches at once, and its other batches wait in the order they came", async () => {
  const { started, start, end } = startBatches();
  const all = ["1", "2", "3", "4"].map((name) => start("key", name));
  await settled();
  expect(started).toEqual(["1", "2"]);
  end("2");
  await settled();
  expect(started).toEqual(["1", "2", "3"]);
  end("1");
  await settled();
  expect(started).toEqual(["1", "2", "3", "4"]);
  for (const name of ["3", "4"]) end(name);
  await Promise.all(all);
});

test("a key with many batches does not delay the batch of another key", async () => {
  const { started, start, end } = startBatches();
  const all = Array.from({ length: 8 }, (_, index) => start("many", `many ${index}`));
  const other = start("other", "other");
  await settled();
  expect(started).toEqual(["many 0", "many 1", "other"]);
  for (let index = 0; index < 8; index += 1) {
    end(`many ${index}`);
    await settled();
  }
  end("other");
  await Promise.all([...all, other]);
});

test("all keys together write four batches at once, and the next one is of a key that has none", async () => {
  const { started, start, end } = startBatches();
  const all = ["a", "b", "c", "d", "e"].flatMap((key) => [start(key, `${key}1`), start(key, `${key}2`)]);
  await settled();
  expect(started).toEqual(["a1", "a2", "b1", "b2"]);
  for (const name of ["a1", "b1", "a2", "b2"]) {
    end(name);
    await settled();
  }
  expect(started.slice(LIMITS.batchesAtOnce)).toEqual(["c1", "d1", "e1", "c2"]);
  for (const name of ["c1", "d1", "e1", "c2", "d2", "e2"]) {
    end(name);
    await settled();
  }
  await Promise.all(all);
});

test("a key with too many waiting batches is refused, and asked to wait a second", async () => {
  const { start, end, started } = startBatches();
  const count = LIMITS.batchesPerKey + LIMITS.batchesWaitingPerKey;
  const all = Array.from({ length: count }, (_, index) => start("key", String(index)));
  expect(await errorOf(start("key", "refused"))).toMatchObject({
    code: "RATE_LIMIT_EXCEEDED",
    reason: "too_many_batches",
    retryAfterSeconds: 1,
  });
  for (let index = 0; index < count; index += 1) {
    end(String(index));
    await settled();
  }
  await Promise.all(all);
  expect(started).toHaveLength(count);
});

test("a batch that fails ends its turn", async () => {
  const { started, start, end } = startBatches();
  for (let count = 0; count < 3; count += 1) {
    await expect(inBatchTurn("key", () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  }
  const next = start("key", "next");
  await settled();
  expect(started).toEqual(["next"]);
  end("next");
  await next;
});
