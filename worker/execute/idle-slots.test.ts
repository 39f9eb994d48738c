import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type AdmittedRun, admitRuns, dropAdmitted, giveRunBack } from "#lib/domain/runs/execute/admit-runs";
import { addWorker } from "#lib/domain/runs/execute/held-lease.fixture";
import { listenOn } from "#lib/platform/db/listen";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { isNoticeFor, QUEUE_CHANNEL } from "#lib/platform/jobs/announce-jobs";
import { uuidv7 } from "#lib/support/ids";
import { startDelivering } from "#worker/execute/run-admission.fixture";
import type { Slot } from "#worker/execute/slots";

useTestDatabase();

const SLOTS = 12;
const WORKING = 3;
/** A worker that waits for its next poll while runs are left never completes a test. */
const NEVER_MS = 2 ** 31 - 1;
const SENTINEL = "test_sentinel";

interface Work {
  /** The time outside the process, as for a response. */
  waitMs: number;
  /** The time in the process. */
  workMs: number;
}
const short: Work = { waitMs: 0, workMs: 1 };
const response: Work = { waitMs: 300, workMs: 1 };
const slow: Work = { waitMs: 10_000, workMs: 1 };
const computing: Work = { waitMs: 0, workMs: 5_000 };
const mix = (count: number) => Array.from({ length: count }, (_, index) => [short, response, slow][index % 3] ?? short);
const many = (count: number, work: Work) => new Array<Work>(count).fill(work);

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
/** Time passes only when the test says so, but the database answers in real time. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
});
afterEach(async () => {
  vi.useRealTimers();
  await db().query("delete from run_queue; delete from idle_workers; delete from worker_heartbeats");
});

type Queues = string[] | null;

/** Workers with a real queue, whose runs only take time. */
async function stage(queuesOfWorkers: readonly Queues[]) {
  const works = new Map<string, Work>();
  const executed: string[] = [];
  /** How many requests were sent or answered. */
  let changes = 0;
  let inFlight = 0;
  const during = async <T>(work: Promise<T>): Promise<T> => {
    inFlight += 1;
    changes += 1;
    try {
      return await work;
    } finally {
      inFlight -= 1;
      changes += 1;
    }
  };

  async function startWorker(queues: Queues) {
    const poolId = await addWorker({ queues });
    let takes = 0;
    await db().query(
      "update worker_heartbeats set slots = $2, last_seen_at = now() + interval '1 hour' where pool_id = $1",
      [poolId, SLOTS],
    );
    const counts = { held: 0, working: 0 };
    const work = async (ms: number) => {
      counts.working += 1;
      await sleep(ms);
      counts.working -= 1;
    };
    const execute = async (runId: string, slot: Slot) => {
      const { waitMs, workMs } = works.get(runId) ?? short;
      counts.held += 1;
      if (waitMs > 0) await slot.whileWaiting(sleep(waitMs));
      await work(workMs);
      executed.push(runId);
      await during(db().query("delete from run_queue where run_id = $1", [runId]));
      counts.held -= 1;
      return "settled" as const;
    };
    const queue = startDelivering({
      slots: SLOTS,
      workingMax: () => WORKING,
      pollMs: NEVER_MS,
      admit: (request) => {
        takes += 1;
        return during(admitRuns(db(), { ...request, poolId, slots: SLOTS }));
      },
      execute,
      drop: (run: AdmittedRun) => dropAdmitted(db(), run, poolId),
      giveBack: (run: AdmittedRun, isRetry: boolean) => giveRunBack(db(), run, poolId, isRetry),
    });
    const room = () => Math.min(SLOTS - counts.held, WORKING - counts.working);
    return { poolId, queues, queue, room, takes: () => takes };
  }

  const workers = await Promise.all(queuesOfWorkers.map(startWorker));
  const listener = await db().connect();
  let heard = 0;
  listener.on("notification", ({ channel, payload }) => {
    if (channel === SENTINEL) heard += 1;
    else for (const { queue, queues } of workers) if (isNoticeFor(queues, payload)) queue.wake();
  });
  await listenOn(listener, QUEUE_CHANNEL);
  await listenOn(listener, SENTINEL);

  /**
   * Waits until nothing more can happen at this time: no request is open, no notice is on its way, and the last response
   * is a few turns of the event loop ago, because the queue looks for runs in the turn after it.
   */
  async function settle(): Promise<void> {
    for (let before = -1; before !== changes || inFlight > 0; ) {
      before = changes;
      const next = heard + 1;
      await db().query("select pg_notify($1, '')", [SENTINEL]);
      while (heard < next) await new Promise((resolve) => setImmediate(resolve));
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Counts the slots that have no run although the queue would give them one. */
  async function countIdle(): Promise<number> {
    let idle = 0;
    for (const { poolId, room } of workers) {
      const wanted = room();
      if (wanted <= 0) continue;
      const client = await db().connect();
      await client.query("begin");
      const request = { poolId, slots: SLOTS, wanted, afterWorkspace: NO_ONE, isOnlyNew: false };
      idle += (await admitRuns(client, request)).runs.length;
      await client.query("rollback");
      client.release();
    }
    return idle;
  }

  async function queueRuns(workspaceId: string, list: readonly Work[]): Promise<void> {
    const ids = list.map((work) => {
      const id = uuidv7();
      works.set(id, work);
      return id;
    });
    await db().query(
      "with added as (insert into run_queue (run_id, workspace_id) select unnest($1::uuid[]), $2) select pg_notify($3, '')",
      [ids, workspaceId, QUEUE_CHANNEL],
    );
  }

  return {
    workers,
    works,
    executed,
    queueRuns,
    settle,
    countIdle,
    close: async () => {
      for (const { queue } of workers) await queue.stop();
      listener.release(true);
    },
  };
}
const NO_ONE = "00000000-0000-0000-0000-000000000000";

async function addWorkspace(queue = "default"): Promise<string> {
  const id = uuidv7();
  const sql = "insert into workspaces (id, slug, name, plan, queue) values ($1, $2, 'Test', 'free', $3)";
  await db().query(sql, [id, `t-${id}`, queue]);
  return id;
}

const BACKLOGS: Record<string, Work[][]> = {
  "one workspace with all kinds of runs": [mix(60)],
  "a workspace at its share next to small ones": [many(70, slow), mix(12), many(9, response)],
  "runs that compute for long next to runs that wait": [many(70, slow), many(12, computing), many(40, response)],
  "short runs behind slow ones": [[...many(20, slow), ...many(40, short)], many(30, response)],
};
const CASES = Object.entries(BACKLOGS).flatMap(([name, lists]) => [1, 3].map((count) => [name, count, lists] as const));

test.each(CASES)("%s on %i workers: no slot is idle while a run it may take is queued", async (_, count, lists) => {
  await neverIdle(
    new Array<Queues>(count).fill(null),
    await Promise.all([...lists, []].map(() => addWorkspace())),
    lists,
  );
});

/** @param workspaces one for each list, and one that comes later */
async function neverIdle(queues: readonly Queues[], workspaces: readonly string[], lists: readonly Work[][]) {
  const { works, executed, queueRuns, settle, countIdle, close } = await stage(queues);
  for (const [index, list] of lists.entries()) await queueRuns(workspaces[index] ?? "", list);
  let isLate = false;
  const seen: number[] = [];
  while (executed.length < works.size || !isLate) {
    await settle();
    seen.push(await countIdle());
    // A workspace that joins later, when the others have filled their share.
    if (!isLate && executed.length >= works.size / 4) {
      isLate = true;
      await queueRuns(workspaces.at(-1) ?? "", mix(9));
    } else vi.advanceTimersToNextTimer();
  }
  await close();
  expect(seen.length).toBeGreaterThan(10);
  expect(seen.filter((idle) => idle > 0)).toEqual([]);
  expect(new Set(executed).size).toBe(works.size);
}

// Workers that share only some queues count different slots, so fairness can leave one of them idle for a moment.
test.each(Object.entries(BACKLOGS))(
  "workers with queues of their own, %s: no slot is idle either",
  async (_, lists) => {
    const names = ["default", "heavy"];
    const workspaces = await Promise.all([...lists, []].map((_list, index) => addWorkspace(names[index % 2])));
    await neverIdle([["heavy"], ["default"]], workspaces, lists);
  },
);

test("a backlog in one queue does not wake an idle worker of another queue", async () => {
  const { workers, works, executed, queueRuns, settle, close } = await stage([["heavy"], ["default"], ["heavy"]]);
  await Promise.all([addWorkspace("default"), addWorkspace("heavy")]);
  const busy = await addWorkspace("heavy");
  await settle();
  const takes = () => workers.map((worker) => worker.takes());
  await queueRuns(busy, many(60, short));
  await settle();
  const before = takes();
  while (executed.length < works.size) {
    vi.advanceTimersToNextTimer();
    await settle();
  }
  const after = takes();
  await close();
  expect(after[1]).toBe(before[1]);
  expect((after[0] ?? 0) - (before[0] ?? 0)).toBeGreaterThan(5);
});
