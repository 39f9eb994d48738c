import pg from "pg";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import { addAction, addRelease, type TestAction } from "#lib/domain/actions/action.fixture";
import { batchRuns, callBatch, item, keyed, outcomes } from "#lib/domain/runs/create/batch.fixture";
import { callAction, countRows, type Stage } from "#lib/domain/runs/create/call-action.fixture";
import type { ActionCall, AnsweredCall, BatchItem } from "#lib/domain/runs/create/run-actions";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db, transaction } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { raceBehindLock } from "#lib/platform/db/test-race";

// The pool's connections keep the method that they find when they are created.
const query = vi.spyOn(pg.Client.prototype, "query");

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

describe("idempotency keys of a batch", () => {
  test("that occur twice create one run, and the second item gets its answer", async () => {
    const [first, second, third] = await batch(keyed("k", "k", "other"));
    expect(outcomes([first, second, third] as AnsweredCall[])).toEqual(["run", "replayed", "run"]);
    expect((second as AnsweredCall).run).toEqual((first as AnsweredCall).run);
    expect(await runCount()).toBe(2);
  });

  test("that occur twice with different payloads refuse the second item", async () => {
    const answers = await batch([
      item({ idempotencyKey: "k" }),
      item({ idempotencyKey: "k", input: { name: "Grace" } }),
      item({ idempotencyKey: "k", dryRun: true }),
    ]);
    expect(outcomes(answers)).toEqual(["run", "IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_KEY_REUSED"]);
    expect(await runCount()).toBe(1);
  });

  test("make a repeated batch return its first answers, and only new items run", async () => {
    const first = await batch(keyed("a", "b"));
    await db().query("update runs set status = 'failed', completed_at = now(), error = '{}' where workspace_id = $1", [
      workspace.workspaceId,
    ]);
    const again = await batch(keyed("b", "c", "a"));
    expect(outcomes(again)).toEqual(["replayed", "run", "replayed"]);
    const runs = batchRuns(again);
    expect([runs[2], runs[0]]).toEqual(batchRuns(first));
    expect(await runCount()).toBe(3);
  });

  test("are the same as those of single calls", async () => {
    const { run } = await callAction(stage(), { idempotencyKey: "k" });
    expect(await batch([item({ idempotencyKey: "k" })])).toEqual([{ run, isReplayed: true }]);
    const [made] = batchRuns(await batch([item({ idempotencyKey: "j" })]));
    expect(await callAction(stage(), { idempotencyKey: "j" })).toEqual({ run: made, isReplayed: true });
  });

  test("create one run each for many batches at once, whatever the order of the keys", async () => {
    const keys = ["a", "b", "c", "d", "e"];
    const turned = (by: number) => [...keys.slice(by), ...keys.slice(0, by)];
    const answers = await Promise.all([0, 1, 2, 3, 4, 2, 1, 0].map((by) => batch(keyed(...turned(by)))));
    expect(answers.flatMap(outcomes).filter((outcome) => outcome === "run")).toHaveLength(keys.length);
    expect(answers.flatMap(outcomes).filter((outcome) => outcome === "replayed")).toHaveLength(7 * keys.length);
    expect(await runCount()).toBe(keys.length);
  });

  test("never make two batches with the same keys in different orders deadlock", async () => {
    const lock = {
      text: "select pg_advisory_xact_lock(hashtextextended(concat_ws('|', $1::uuid, $2::text, $3::text), 1))",
      values: [workspace.workspaceId, action.slug, "middle"],
    };
    query.mockClear();
    const both = await raceBehindLock(lock, [
      () => batch(keyed("a", "middle", "b")),
      () => batch(keyed("b", "middle", "a")),
    ]);
    const answers = both.flatMap((result) => (result.status === "fulfilled" ? outcomes(result.value) : []));
    expect(answers.toSorted()).toEqual(["replayed", "replayed", "replayed", "run", "run", "run"]);
    // The one rollback is the test's own: PostgreSQL ended neither batch.
    expect(query.mock.calls.filter(([given]) => String(given) === "rollback")).toHaveLength(1);
  });

  test("wait for a single call that holds one of them, and get its answer", async () => {
    const lock = {
      text: "select pg_advisory_xact_lock(hashtextextended(concat_ws('|', $1::uuid, $2::text, $3::text), 1))",
      values: [workspace.workspaceId, action.slug, "k"],
    };
    const [single, several] = await raceBehindLock<unknown>(lock, [
      () => callAction(stage(), { idempotencyKey: "k", input: { name: "k" } }),
      () => batch(keyed("j", "k")),
    ]);
    expect(single?.status).toBe("fulfilled");
    expect(several?.status).toBe("fulfilled");
    expect(await runCount()).toBe(2);
  });

  test("that another call holds for long refuse their items after a few seconds, and the others run", async () => {
    await callAction(stage());
    await transaction(async (tx) => {
      await tx.query({
        text: `select pg_advisory_xact_lock(hashtextextended(concat_ws('|', $1::uuid, $2::text, k.key), 1))
               from unnest($3::text[]) as k (key)`,
        values: [workspace.workspaceId, action.slug, ["b", "c", "d"]],
      });
      const answers = await batch(keyed("a", "b", "c", "d", "e"));
      const busy = "IDEMPOTENCY_IN_PROGRESS";
      expect(outcomes(answers)).toEqual(["run", busy, busy, busy, "run"]);
      expect(answers[1]).toMatchObject({ retryAfterSeconds: 1 });
    });
    expect(outcomes(await batch(keyed("a", "b")))).toEqual(["replayed", "run"]);
  });

  test("return first answers even if the action was paused or its schema changed since", async () => {
    const first = batchRuns(await batch(keyed("a", "b")));
    await addRelease(db(), workspace, action, 2, {
      inputSchema: { type: "object", properties: { other: { type: "string" } }, required: ["other"] },
    });
    const changed = await batch(keyed("a", "c", "b"));
    expect(outcomes(changed)).toEqual(["replayed", "INPUT_VALIDATION_FAILED", "replayed"]);
    expect(batchRuns(changed)).toEqual(first);
    await db().query("update actions set status = 'paused' where id = $1", [action.actionId]);
    expect(outcomes(await batch(keyed("c", "a")))).toEqual(["ACTION_UNAVAILABLE", "replayed"]);
    expect((await errorOf(batch(keyed("c")))).code).toBe("ACTION_UNAVAILABLE");
  });

  test("stay unused if their item is refused", async () => {
    const answers = await batch([item({ input: {}, idempotencyKey: "k" }), item({ idempotencyKey: "k" })]);
    expect(outcomes(answers)).toEqual(["INPUT_VALIDATION_FAILED", "run"]);
  });

  test("of two workspaces are different keys, also for actions with the same slug", async () => {
    const mine = batchRuns(await batch(keyed("k")));
    const theirs = await addWorkspace();
    await addAction(theirs, { slug: action.slug });
    const answers = await batch(keyed("k"), theirs);
    expect(outcomes(answers)).toEqual(["run"]);
    expect(batchRuns(answers)[0]?.run_id).not.toBe(mine[0]?.run_id);
    expect(await runCount()).toBe(1);
  });
});
