import { expect, test } from "vitest";
import { withHttp } from "#bench/load/workflows";
import { addAction, TEST_SCHEMA } from "#lib/domain/actions/action.fixture";
import { callBatch, item } from "#lib/domain/runs/create/batch.fixture";
import { admitRuns } from "#lib/domain/runs/execute/admit-runs";
import { addWorker } from "#lib/domain/runs/execute/held-lease.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";
import { executeRun } from "#worker/execute/execute-run";
import { openResponsePlaces } from "#worker/execute/response-places";
import { startDelivering } from "#worker/execute/run-admission.fixture";
import { openRunStore } from "#worker/execute/run-store";
import type { WorkerContext } from "#worker/execute/worker-context";

useTestDatabase();

const SLOTS = 40;
const WORKING = 5;

test("an idle worker fills all of its slots while the first runs still wait for the commit of their claim", async () => {
  const workspace = await addWorkspace();
  const action = await addAction(workspace, { definition: withHttp("http://127.0.0.1:1/"), inputSchema: TEST_SCHEMA });
  await callBatch(
    { workspace, action },
    Array.from({ length: SLOTS }, () => item({ input: { name: "Ada", n: 1 } })),
  );
  const poolId = await addWorker();
  const disk = Promise.withResolvers<boolean>();
  let claims = 0;
  const appendEvents = () => {
    claims += 1;
    return disk.promise;
  };
  const worker: WorkerContext = {
    db: db(),
    store: { ...openRunStore(db(), poolId), appendEvents },
    send: () => Promise.reject(new Error("no step may start before its claim is written")),
    responses: openResponsePlaces(),
    announcer: { announce: () => undefined, close: async () => undefined },
    held: new Set(),
    queue: { wakeIn: () => undefined },
    stopping: new AbortController().signal,
    untilFit: async () => undefined,
    giveUp: () => undefined,
  };
  const queue = startDelivering({
    slots: SLOTS,
    workingMax: () => WORKING,
    admit: (request) => admitRuns(db(), { ...request, poolId, slots: SLOTS }),
    execute: (runId, slot) => executeRun(worker, runId, slot),
    drop: async () => undefined,
    giveBack: async () => undefined,
  });
  await eventually(() => expect(claims).toBe(SLOTS));
  expect(worker.held.size).toBe(SLOTS);
  // Simulates that another worker has the runs.
  disk.resolve(false);
  await queue.stop();
});
