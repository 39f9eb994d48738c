import { expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { createBuild } from "#lib/domain/custom-connectors/create-build";
import { TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db, transaction } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";

useTestDatabase();

function queueBuild({ workspaceId, userId }: TestWorkspace) {
  const input = { slug: "orders", name: "Orders", baseUrl: "https://api.example.com", auth: "none" as const };
  return createBuild({ workspaceId, userId, actor: TEST_ACTOR, input });
}

test("a workspace with one build is served before the backlog of another, whose builds never run at once", async () => {
  const [busy, other] = [await addWorkspace(), await addWorkspace()];
  for (let build = 0; build < 3; build += 1) await queueBuild(busy);
  await queueBuild(other);
  const { rows } = await db().query(
    "select queue_name from graphile_worker.jobs where queue_name = any($1) order by priority, run_at, id",
    [[`builds:${busy.workspaceId}`, `builds:${other.workspaceId}`]],
  );
  expect(rows.map((row) => (row.queue_name === `builds:${busy.workspaceId}` ? "busy" : "other"))).toEqual([
    ...["busy", "other", "busy", "busy"],
  ]);
});

test("a workspace has a limited number of open builds and gets a 429 with Retry-After beyond it", async () => {
  const workspace = await addWorkspace();
  const { workspaceId } = workspace;
  await db().query(
    `insert into connector_builds (id, workspace_id, connector_slug, input)
     select gen_random_uuid(), $1, 'orders', '{}' from generate_series(1, $2)`,
    [workspaceId, LIMITS.openBuilds - 1],
  );
  await expect(queueBuild(workspace)).resolves.toMatchObject({ status: "queued" });
  await expect(queueBuild(workspace)).rejects.toMatchObject({
    status: 429,
    reason: "too_many_builds",
    retryAfterSeconds: expect.any(Number),
    message: expect.stringContaining(`${LIMITS.openBuilds} builds`),
  });
  await expect(queueBuild(await addWorkspace())).resolves.toMatchObject({ status: "queued" });
  await db().query("update connector_builds set status = 'ready' where workspace_id = $1", [workspaceId]);
  await expect(queueBuild(workspace)).resolves.toMatchObject({ status: "queued" });
});

test("requests at the same time never open more builds than the limit", async () => {
  const workspace = await addWorkspace();
  const { workspaceId } = workspace;
  let isSettled = false;
  let second: Promise<string> | null = null;
  await transaction(async (tx) => {
    await tx.query({ text: "select from workspaces where id = $1 for no key update", values: [workspaceId] });
    await tx.query({
      text: `insert into connector_builds (id, workspace_id, connector_slug, input)
             select gen_random_uuid(), $1, 'orders', '{}' from generate_series(1, $2)`,
      values: [workspaceId, LIMITS.openBuilds],
    });
    second = queueBuild(workspace)
      .then(
        () => "queued",
        (error: Error & { reason?: string }) => error.reason ?? error.message,
      )
      .finally(() => {
        isSettled = true;
      });
    const { rows } = await tx.query({ text: "select pg_backend_pid() as pid" });
    await eventually(async () => {
      const waiting = await db().query("select 1 from pg_stat_activity where $1::int = any(pg_blocking_pids(pid))", [
        rows[0]?.pid,
      ]);
      expect(isSettled || waiting.rows.length > 0).toBe(true);
    });
  });
  expect(await second).toBe("too_many_builds");
});
