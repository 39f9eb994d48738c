import { beforeEach, describe, expect, test } from "vitest";
import { countRepeats, countViolations, type Violations } from "#bench/faults/count-violations";
import { isViolated, violationRows } from "#bench/faults/result-table";
import { readLeftovers } from "#bench/faults/run-leftovers";
import { countRunsWithTwoJobs } from "#bench/faults/runs/run-jobs";
import { countZombieWrites } from "#bench/faults/runs/zombies";
import { acceptRun, expectedOutput, fiveSteps, type Workload } from "#bench/faults/workload";
import { madeCall } from "#bench/stage/outside";
import { runAction } from "#lib/domain/runs/create/run-actions";
import { addEvents, setRun } from "#lib/domain/runs/execute/run-journal.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

useTestDatabase();

let workload: Workload;
/** What the load knows about two runs that went well. */
let accepted: Map<string, number>;
let calls: Map<string, ReturnType<typeof madeCall>[]>;
let id: string;

beforeEach(async () => {
  workload = await fiveSteps("http://127.0.0.1:1");
  [accepted, calls] = [new Map(), new Map()];
  for (const n of [0, 1]) {
    id = await acceptRun(workload, n);
    accepted.set(id, n);
    await execute(id, n);
  }
});

async function execute(runId: string, n: number, nodes = workload.nodes): Promise<void> {
  for (const nodeId of nodes) {
    await event(runId, "step_started", nodeId);
    if (workload.httpNodes.includes(nodeId)) call(runId, nodeId, Date.now());
    await event(runId, "step_completed", nodeId);
  }
  await setRun(runId, "succeeded", expectedOutput(runId, n));
}

const event = (runId: string, kind: "step_started" | "step_completed", nodeId: string) =>
  addEvents(workload.workspace.workspaceId, runId, [{ kind, nodeId }]);

/** Writes events together with the end of a run, after the events that it has. */
const pack = (runId: string, ...events: object[]) =>
  db().query(
    `insert into journal_ends (run_id, workspace_id, seq, at, events)
     values ($1, $2, (select coalesce(max(seq), 0) + 1 from execution_events), clock_timestamp(), $3)`,
    [runId, workload.workspace.workspaceId, JSON.stringify(events)],
  );

function call(runId: string, nodeId: string, wallMs: number): void {
  const made = { ...madeCall(`${runId}:${nodeId}:`), wallMs };
  calls.set(made.key, [...(calls.get(made.key) ?? []), made]);
}

async function count(poison: string[] = []): Promise<Partial<Violations>> {
  const { examples: _, ...violations } = await countViolations(workload, accepted, { calls, poison: new Set(poison) });
  return Object.fromEntries(Object.entries(violations).filter(([, found]) => found !== 0));
}

/** Each damage is one that only its own counter sees. */
const DAMAGES: Record<keyof Violations, () => Promise<unknown>> = {
  lost: async () => accepted.set(uuidv7(), 2),
  createdTwice: async () => {
    const again = { ...workload.workspace, slug: workload.slug, input: { n: 1 }, dryRun: false };
    const { run } = await runAction({ ...again, source: "action", idempotencyKey: "another key" });
    await execute(run.run_id, 1);
  },
  stuck: () => setRun(id, "running"),
  wrongEnd: () => setRun(id, "failed"),
  wrongOutput: () => setRun(id, "succeeded", { ...expectedOutput(id, 1), seen: "another step's answer" }),
  missingStep: async () => {
    const runId = await acceptRun(workload, 2);
    await execute(runId, 2, workload.nodes.slice(1));
  },
  // An index of the rows refuses a second completion, but not one among the events that are packed with the end.
  completedTwice: () => pack(id, { node_id: "s2" }),
  startedAfterCompletion: () => event(id, "step_started", "s2"),
  calledAfterCompletion: async () => call(id, "s2", Date.now() + 1_000),
  unproven: async () => accepted.clear(),
};

describe("the counts of violations", () => {
  test("are zero if every run went well", async () => {
    expect(await count()).toEqual({});
  });

  test.each(Object.entries(DAMAGES))("%s sees its damage, which no other count sees", async (name, damage) => {
    await damage();
    expect(await count()).toEqual({ [name]: 1 });
  });

  test("a poison run must fail because its workers were lost, and for no other reason", async () => {
    expect(await count([id])).toEqual({ wrongEnd: 1 });
    await setRun(id, "failed");
    expect(await count([id])).toEqual({ wrongEnd: 1 });
    await db().query(`update runs set error = '{"reason": "worker_lost"}' where id = $1`, [id]);
    expect(await count([id])).toEqual({});
  });

  test("a run that redacts its output is judged by the original", async () => {
    await setRun(id, "succeeded", { ...expectedOutput(id, 1), to: "[redacted]" });
    expect(await count()).toEqual({ wrongOutput: 1 });
  });

  test("each count is a row that breaks a promise", async () => {
    const { examples: _, ...violations } = await countViolations(workload, accepted, { calls, poison: new Set() });
    for (const name of Object.keys(DAMAGES)) {
      expect(violationRows("r1", { ...violations, [name]: 1 }).filter(isViolated)).toHaveLength(1);
    }
    expect(violationRows("r1", violations).filter(isViolated)).toEqual([]);
  });
});

test("a step that starts or calls again before its completion counts as a repeat, and not as a violation", async () => {
  const runId = await acceptRun(workload, 2);
  accepted.set(runId, 2);
  await event(runId, "step_started", "s1");
  call(runId, "s1", Date.now());
  await execute(runId, 2);
  expect(await count()).toEqual({});
  expect(await countRepeats(workload, calls)).toEqual({ startedAgain: 1, calledAgain: 1, steps: 15 });
});

test("a job and a place in the queue that are left of a run are seen, and so are two jobs of one run", async () => {
  await db().query("delete from run_queue");
  await db().query("delete from graphile_worker._private_jobs");
  expect(await readLeftovers()).toEqual({ jobs: 0, queued: 0 });
  const add = () => db().query("select graphile_worker.add_job('execute_run', $1)", [JSON.stringify({ run_id: id })]);
  await add();
  expect(await readLeftovers()).toEqual({ jobs: 1, queued: 0 });
  expect(await countRunsWithTwoJobs(AbortSignal.timeout(1))).toBe(0);
  await add();
  expect(await countRunsWithTwoJobs(AbortSignal.timeout(1))).toBe(1);
  await acceptRun(workload, 2);
  expect(await readLeftovers()).toMatchObject({ queued: 1 });
});

test("a write of a zombie is seen in the journal and in the output of a run", async () => {
  expect(await countZombieWrites()).toBe(0);
  await pack(id, { node_id: "s1", output_data: { body: { token: "zombie" } } });
  expect(await countZombieWrites()).toBe(1);
  await setRun(id, "succeeded", { last: "zombie" });
  expect(await countZombieWrites()).toBe(2);
});
