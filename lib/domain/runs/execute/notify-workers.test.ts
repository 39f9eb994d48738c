import { beforeEach, describe, expect, test } from "vitest";
import { giveRunBack } from "#lib/domain/runs/execute/admit-runs";
import { addWorkspaceOf, queueSome as queue, takeNext as take } from "#lib/domain/runs/execute/queued-runs.fixture";
import { listenOn } from "#lib/platform/db/listen";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { QUEUE_CHANNEL } from "#lib/platform/jobs/announce-jobs";

useTestDatabase();

beforeEach(async () => {
  await db().query(
    "delete from run_queue; delete from idle_workers; delete from worker_heartbeats; delete from workspaces",
  );
});

describe("workers notify each other", () => {
  const hear = async () => {
    const listener = await db().connect();
    const heard: string[] = [];
    listener.on("notification", ({ channel }) => heard.push(channel));
    await listenOn(listener, QUEUE_CHANNEL);
    return {
      /** A connection receives the notices of earlier transactions before the answer to its next statement. */
      count: async () => {
        await listener.query("select 1");
        return heard.splice(0).length;
      },
      end: () => listener.release(true),
    };
  };

  test("one with room that found nothing learns of runs that another one leaves, once", async () => {
    const id = await addWorkspaceOf();
    const { count, end } = await hear();
    expect(await take({ poolId: "idle", wanted: 5 })).toEqual([]);
    await queue(id, 4);
    expect(await take({ poolId: "busy", wanted: 2 })).toHaveLength(2);
    expect(await count()).toBe(1);
    expect(await take({ poolId: "busy", wanted: 1 })).toHaveLength(1);
    expect(await count()).toBe(0);
    end();
  });

  test("one without room leaves a run that became due to the one with room", async () => {
    const id = await addWorkspaceOf();
    const { count, end } = await hear();
    await queue(id, 1, { inSeconds: 600 });
    expect(await take({ poolId: "idle" })).toEqual([]);
    await db().query("update run_queue set run_at = now()");
    expect(await take({ poolId: "full", wanted: 0 })).toEqual([]);
    expect(await count()).toBe(1);
    expect(await take({ poolId: "idle" })).toHaveLength(1);
    end();
  });

  test("nothing is announced that fairness keeps for others, and none while all are busy", async () => {
    await addWorkspaceOf();
    const id = await addWorkspaceOf();
    const { count, end } = await hear();
    await queue(id, 100);
    await take({ poolId: "busy", wanted: 5 });
    expect(await count()).toBe(0);
    await take();
    await take({ poolId: "idle" });
    await take({ poolId: "busy", wanted: 1 });
    expect(await count()).toBe(0);
    end();
  });

  test("a run that a stopping worker returns is announced, and one that waits for its next try is not", async () => {
    await queue(await addWorkspaceOf(), 1);
    const { count, end } = await hear();
    const [first] = await take();
    if (first) await giveRunBack(db(), first, "here", false);
    expect(await count()).toBe(1);
    const [second] = await take();
    if (second) await giveRunBack(db(), second, "here", true);
    expect(await count()).toBe(0);
    end();
  });
});
