import { beforeEach, describe, expect, test } from "vitest";
import { approvalRows, scheduleRows } from "#bench/faults/machines/judge";
import { trafficRows } from "#bench/faults/machines/phases";
import { decidedRows, fireRows, newestRows } from "#bench/faults/restore/judge-restored";
import { isViolated, type Row } from "#bench/faults/result-table";
import { judgeParked } from "#bench/faults/runs/parked";
import { madeCall, type OutsideCall } from "#bench/stage/outside";
import { CUT, type Passed } from "#bench/stage/start-balancer";
import type { RunStatus } from "#lib/contract/run/run";
import { addEvents, setRun } from "#lib/domain/runs/execute/run-journal.fixture";
import { seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

await openTestDatabase();

let ids: string[];
const workflow = await seedWorkflow(db(), { nodes: [], edges: [] });
beforeEach(async () => {
  await db().query("delete from execution_events; delete from runs");
  ids = [];
});

async function addRun(input = {}, status: RunStatus = "succeeded"): Promise<string> {
  const id = await seedRun(db(), workflow, { input });
  await setRun(id, status, { n: 1 });
  ids.push(id);
  return id;
}

const violated = (rows: readonly Row[]) => rows.filter(isViolated).map(({ what, measured }) => `${what}: ${measured}`);

describe("approvals", () => {
  const complete = (id: string) => addEvents(workflow.workspaceId, id, [{ kind: "step_completed", nodeId: "s1" }]);
  const rows = async (uncalled: string[] = []) => {
    const calls = new Map(ids.filter((id) => !uncalled.includes(id)).map((id) => [`${id}:s1:`, []]));
    const approved = new Map(ids.map((id, n) => [id, n]));
    return violated(await approvalRows(db(), { workspaceId: workflow.workspaceId, approved, calls }));
  };
  beforeEach(async () => complete(await addRun()));

  test("break no promise if each approved run executed its step once", async () => {
    expect(await rows()).toEqual([]);
  });

  test("are lost, created twice, failed, or not executed, and each is seen", async () => {
    const [first = ""] = ids;
    expect(await rows([first])).toEqual(["approved runs that never called outside: 1"]);
    await setRun(first, "failed");
    expect(await rows()).toEqual(["runs that did not succeed: 1"]);
    await addRun();
    expect(await rows()).toEqual(["runs that did not succeed: 1", "steps completed twice, or not at all: 1"]);
    ids.pop();
    expect(await rows()).toContain("runs created twice: 1");
    ids.push(uuidv7(), uuidv7());
    expect(await rows()).toContain("approved runs lost: 2");
  });
});

describe("a schedule that fires every minute", () => {
  const MINUTE = 60_000;
  const START = Date.parse("2020-01-01T10:00:00Z");
  const fire = async (minute: number, status: RunStatus = "succeeded") => {
    const timestamp = new Date(START + minute * MINUTE).toISOString();
    const id = await addRun({ output: { timestamp } }, status);
    await db().query("update runs set source = 'schedule' where id = $1", [id]);
    return [timestamp, { runId: id, createdAt: new Date(START + minute * MINUTE) }] as const;
  };
  const rows = async () =>
    violated(await scheduleRows(db(), workflow.workspaceId, { fromMs: START - 5_000, toMs: START + 2.5 * MINUTE }));

  test("has one run for each full minute", async () => {
    for (const minute of [0, 1, 2]) await fire(minute);
    expect(await rows()).toEqual([]);
  });

  test("misses a minute, fires twice, or fails, and each is seen", async () => {
    for (const minute of [0, 2, 2]) await fire(minute);
    await fire(3, "failed");
    expect(await rows()).toEqual(["minutes missed: 1", "minutes fired twice: 1", "runs that did not succeed: 1"]);
  });

  test("loses a fire in a restore, repeats one, or makes up for more than the newest, and each is seen", async () => {
    const at = (minute: number) => new Date(START + minute * MINUTE);
    const fires = new Map([await fire(0), await fire(1)]);
    const judge = async () => {
      const mark = { name: "dump" as const, accepted: new Map(), approved: new Map(), deliveries: [] };
      const given = { point: { ...mark, at: at(1.5) }, fires, startedAt: at(4), workspaceId: workflow.workspaceId };
      return violated(await fireRows(given, db()));
    };
    const createdAt = (date: Date) => db().query("update runs set created_at = $1 where id = $2", [date, ids.at(-1)]);
    await db().query("update runs set created_at = $1", [at(1)]);
    expect(await judge()).toEqual([]);
    await fire(3);
    await createdAt(at(4.1));
    expect(await judge()).toEqual([]);
    await fire(2);
    await createdAt(at(4.1));
    expect(await judge()).toEqual(["late times beyond the newest: 1"]);
    await fire(1);
    await createdAt(at(1));
    expect(await judge()).toEqual([
      "times fired twice: 1",
      "times before it fired again: 1",
      "late times beyond the newest: 1",
    ]);
    await db().query("delete from runs");
    expect(await judge()).toEqual(["of them lost: 2"]);
  });
});

describe("the answers of a balancer", () => {
  const answer = (status: number, atMs: number, path = "/api/v1/runs"): Passed => {
    return { status, atMs, tookMs: 10, method: "GET", path, server: null, resent: 0 };
  };
  const outage = { fromMs: 1_000, toMs: 2_000 };

  test("break no promise without 5xx, or with 5xx while the database is away", () => {
    expect(violated(trafficRows("kills", [answer(200, 1), answer(404, 1), answer(CUT, 1)], []))).toEqual([]);
    expect(violated(trafficRows("failover", [answer(503, 1_500), answer(503, 2_005)], [outage]))).toEqual([]);
  });

  test("break a promise with 5xx at any other time", () => {
    expect(violated(trafficRows("kills", [answer(500, 1)], []))).toEqual(["5xx: 1"]);
    const late = [answer(503, 999), answer(503, 1_500), answer(503, 2_011)];
    expect(violated(trafficRows("failover", late, [outage]))).toEqual(["5xx at any other time: 2"]);
  });
});

describe("a restored database", () => {
  const point = { at: new Date("2020-01-01T10:00:00Z"), approved: new Map(), deliveries: [], accepted: new Map() };

  test("has nothing from after the moment that it was restored to", async () => {
    const judge = async () => {
      const moment = { ...point, name: "moment" as const };
      const given = { point: moment, last: moment, startedAt: new Date("2020-01-01T11:00:00Z") };
      return violated(await newestRows(given, db()));
    };
    await addRun();
    expect(await judge()).toEqual([]);
    await db().query("update runs set created_at = '2020-01-01T10:00:01Z'");
    expect(await judge()).toEqual(["runs from after the restore point: 1"]);
  });

  test("has every approved run, ended as it was decided", async () => {
    const waiting = [await addRun(), await addRun({}, "cancelled")];
    const approved = new Map([[waiting[0] ?? "", 1]]);
    const judge = async () => {
      const given = {
        workspaceId: workflow.workspaceId,
        waiting,
        point: { ...point, name: "dump" as const, approved },
      };
      return violated(await decidedRows(given, db()));
    };
    expect(await judge()).toEqual([]);
    await setRun(waiting[1] ?? "", "succeeded");
    expect(await judge()).toEqual(["decided runs with another end: 1"]);
    approved.set(uuidv7(), 2);
    expect(await judge()).toEqual(["approved runs lost: 1", "decided runs with another end: 1"]);
  });
});

describe("parked runs", () => {
  const DUE = 1_000_000;
  const wake = (runId: string, wallMs: number): [string, OutsideCall[]] => {
    const call = { ...madeCall(`${runId}:woke:`), wallMs };
    return [call.key, [call]];
  };
  const judge = async ({ wokeMs = DUE, early = [] as string[], isOnce = true, heldSlots = 0 } = {}) => {
    const calls = new Map(ids.map((id) => wake(id, wokeMs)));
    const accepted = new Map(ids.map((id) => [id, "delay" as const]));
    const due = new Map(ids.map((id) => [id, DUE]));
    const deliveries = [{ runId: ids[0] ?? "", answeredMs: DUE, isOnce, answers: [] }];
    return violated(await judgeParked(calls, { accepted, due, deliveries, early, heldSlots }));
  };

  test("break no promise if each wakes once, and not before its wait is over", async () => {
    await addRun();
    expect(await judge()).toEqual([]);
    expect(await judge({ wokeMs: DUE + 60_000 })).toEqual([]);
  });

  test("wake early, resume twice, or hold a slot, and each is seen", async () => {
    await addRun();
    expect(await judge({ wokeMs: DUE - 2 })).toEqual(["runs that woke early: 1"]);
    expect(await judge({ early: ids })).toEqual(["runs that woke early: 1"]);
    expect(await judge({ isOnce: false })).toEqual(["callbacks that resumed twice, or were refused: 1"]);
    expect(await judge({ heldSlots: 1 })).toEqual(["slots held while all runs were parked: 1"]);
  });

  test("are lost even if another run succeeded in their place", async () => {
    await addRun();
    await addRun({}, "running");
    const [, lost = ""] = ids;
    expect(await judge()).toEqual(["runs lost, of 2: 1"]);
    await addRun();
    ids.pop();
    expect(ids).toContain(lost);
    expect(await judge()).toEqual(["runs lost, of 2: 1"]);
  });

  test("complete a wait twice, which is seen", async () => {
    const id = await addRun();
    await addEvents(workflow.workspaceId, id, [
      { kind: "step_completed", nodeId: "wait" },
      { kind: "step_completed", nodeId: "wait", iteration: "1" },
    ]);
    expect(await judge()).toEqual(["waits completed twice: 1"]);
  });
});
