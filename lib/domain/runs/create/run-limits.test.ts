import { beforeEach, describe, expect, test } from "vitest";
import type { ApiError } from "#lib/contract/error/api-error";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import { addAction, type TestAction } from "#lib/domain/actions/action.fixture";
import { callAction, countRows, jobsOf, runRequest, type Stage } from "#lib/domain/runs/create/call-action.fixture";
import { createRun } from "#lib/domain/runs/create/create-runs";
import type { RunRequest } from "#lib/domain/runs/create/new-run";
import type { ActionCall } from "#lib/domain/runs/create/run-actions";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

let workspace: TestWorkspace;
let action: TestAction;
beforeEach(async () => {
  workspace = await addWorkspace();
  action = await addAction(workspace);
});

const stage = (): Stage => ({ workspace, action });
const call = (more?: Partial<ActionCall>) => callAction(stage(), more);
const request = (more?: Partial<RunRequest>) => runRequest(stage(), more);
const rowOf = async (runId: string) => (await db().query("select * from runs where id = $1", [runId])).rows[0];

describe("the user's hundred runs an hour", () => {
  /** Inserts runs of the same user, created some time ago. */
  async function addPast(many: number, minutesAgo: number): Promise<void> {
    await call();
    await db().query(
      `insert into runs (id, workspace_id, workflow_id, workflow_version_id, source, status, input, correlation_id, user_id, created_at)
       select gen_random_uuid(), workspace_id, workflow_id, workflow_version_id, 'manual', 'accepted', '{}', 'past', user_id,
         now() - make_interval(mins => $2)
       from runs, generate_series(1, $3) where workspace_id = $1`,
      [workspace.workspaceId, minutesAgo, many],
    );
  }

  test("are exactly a hundred, however many calls arrive at once", async () => {
    await addPast(89, 10);
    const codes = await Promise.all(
      Array.from({ length: 40 }, () =>
        call().then(
          () => "made",
          (error: ApiError) => error.code,
        ),
      ),
    );
    expect(codes.filter((code) => code === "made")).toHaveLength(10);
    expect(codes.filter((code) => code === "RATE_LIMIT_EXCEEDED")).toHaveLength(30);
    expect(await countRows(stage(), "runs", "user_id is not null")).toBe(100);
  });

  test("slide: the answer says when the oldest run leaves, and runs from an hour ago do not count", async () => {
    await addPast(98, 45);
    await call();
    const error = await errorOf(call());
    expect(error.reason).toBe("user_run_limit");
    expect(error.message).toBe("Run limit exceeded (100 per hour)");
    expect(error.retryAfterSeconds).toBeGreaterThan(14 * 60);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(15 * 60);
    await db().query("update runs set created_at = created_at - interval '15 minutes' where user_id = $1", [
      workspace.userId,
    ]);
    expect((await call()).run.status).toBe("accepted");
  });

  test("count runs of every origin except dry runs, and only those of this user", async () => {
    const origins = ["action", "webhook", "schedule", "manual", "replay", "test"] as const;
    for (const source of origins) await createRun(await request({ source }));
    expect(await countRows(stage(), "runs", "user_id is not null")).toBe(origins.length);
    await addPast(99 - origins.length, 1);
    for (const source of ["action", "manual"] as const) {
      expect((await errorOf(call({ source }))).code).toBe("RATE_LIMIT_EXCEEDED");
    }
    expect((await call({ dryRun: true })).run.status).toBe("succeeded");
    const other = await addWorkspace();
    expect((await call({ userId: other.userId })).run.status).toBe("accepted");
  });

  test.each(["webhook", "schedule"] as const)(
    "turn a %s event above the limit into a run that failed before any step",
    async (source) => {
      await addPast(99, 1);
      const made = await createRun(await request({ source, overLimit: "fail" }));
      expect(made).toMatchObject({
        status: "failed",
        source,
        steps: [],
        error: {
          reason: "user_run_limit",
          message: "Run limit exceeded (100 per hour, at most 80 of them by events)",
        },
      });
      expect(await jobsOf(made.run_id)).toEqual([]);
      // It counts against no user: otherwise a busy webhook would lock its owner out forever.
      expect(await rowOf(made.run_id)).toMatchObject({ status: "failed", user_id: null });
    },
  );
});

describe("the monthly quota", () => {
  test("is exact however many calls arrive at once, and refusals are not counted", async () => {
    workspace = await addWorkspace("free");
    action = await addAction(workspace);
    const month = "date_trunc('month', now() at time zone 'UTC')::date";
    await db().query(`insert into usage_months values ($1, ${month}, 995)`, [workspace.workspaceId]);
    const codes = await Promise.all(
      Array.from({ length: 20 }, () =>
        call().then(
          () => "made",
          (error: ApiError) => error.code,
        ),
      ),
    );
    expect(codes.filter((code) => code === "made")).toHaveLength(5);
    expect(codes.filter((code) => code === "QUOTA_EXCEEDED")).toHaveLength(15);
    const { rows } = await db().query("select runs from usage_months where workspace_id = $1", [workspace.workspaceId]);
    expect(rows).toEqual([{ runs: 1000 }]);
    expect(await countRows(stage(), "runs")).toBe(5);
    expect((await call({ dryRun: true })).run.status).toBe("succeeded");
  });

  test("does not exist on the business plan", async () => {
    await call();
    expect(await countRows(stage(), "usage_months")).toBe(0);
  });
});
