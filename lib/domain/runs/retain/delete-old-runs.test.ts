import pg from "pg";
import { beforeEach, expect, test } from "vitest";
import { deleteOldKeys } from "#lib/domain/repeats/delete-old-keys";
import { admitRuns, NO_WORKSPACE } from "#lib/domain/runs/execute/admit-runs";
import { node, type SeededWorkflow, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { deleteLeftSteps } from "#lib/domain/runs/retain/delete-left-steps";
import { deleteOldRuns, RETENTION_BATCH, RETENTION_LOCK } from "#lib/domain/runs/retain/delete-old-runs";
import { dropOldPartitions } from "#lib/domain/runs/retain/drop-old-partitions";
import { createPartitionsSql } from "#lib/domain/runs/retain/partitions.fixture";
import { closeDb, db, transaction } from "#lib/platform/db/pool";
import { emptyTables, useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

let workflow: SeededWorkflow;
beforeEach(async () => {
  await emptyTables("runs", "execution_events", "journal_ends", "run_checkpoints", "workspaces");
  workflow = await seedWorkflow(db(), { nodes: [node("in", "action_input")], edges: [] });
});

interface Seed {
  endedDays: number | null;
  createdDays?: number;
  status?: string;
  count?: number;
  resumeFrom?: string;
  parent?: string;
  of?: SeededWorkflow;
}

/**
 * Inserts runs with two events, a packed end, a checkpoint, an approval and an idempotency key each; their ids match their creation
 * time.
 */
async function seed({ endedDays, createdDays = endedDays ?? 40, status, count = 1, ...rest }: Seed): Promise<string[]> {
  const { workspaceId, workflowId, versionId } = rest.of ?? workflow;
  const { rows } = await db().query(
    `with made as (
       insert into runs (id, workspace_id, workflow_id, workflow_version_id, source, input, correlation_id, status,
         created_at, completed_at, resume_from_run_id, parent_run_id)
       select (left(uuid_floor(now() - make_interval(days => $4))::text, 15) || right(gen_random_uuid()::text, 21))::uuid, $1, $2, $3, 'action', '{}', 'x', $5,
         now() - make_interval(days => $4), now() - make_interval(days => $6), $8, $9
       from generate_series(1, $7) returning id
     ), events as (
       insert into execution_events (run_id, workspace_id, node_id, kind)
       select id, $1, node_id, 'step_completed' from made, (values ('a'), ('b')) as n (node_id)
     ), ends as (
       insert into journal_ends (run_id, workspace_id, seq, at, events) select id, $1, 9, now(), '[]' from made
     ), checkpoints as (
       insert into run_checkpoints (run_id, node_id, sealed) select id, 'a', '' from made
     ), approved as (
       insert into approvals (id, workspace_id, run_id, kind, status, expires_at, decided_at)
       select gen_random_uuid(), $1, id, 'policy', 'approved', now(), now() from made
     ), keys as (
       insert into idempotency_keys (workspace_id, action_slug, key, payload_hash, run_id) select $1, 's', id::text, '', id from made
     )
     select id from made`,
    [
      workspaceId,
      workflowId,
      versionId,
      createdDays,
      status ?? (endedDays === null ? "running" : "succeeded"),
      endedDays,
      count,
      rest.resumeFrom ?? null,
      rest.parent ?? null,
    ],
  );
  return rows.map((row) => row.id);
}

const TABLES = { runs: 1, execution_events: 2, journal_ends: 1, run_checkpoints: 1, approvals: 1, idempotency_keys: 1 };

async function idsLeft(): Promise<string[]> {
  for (const [table, perRun] of Object.entries(TABLES)) {
    const key = table === "runs" ? "id" : "run_id";
    const { rows } = await db().query(
      `select (select count(*) from ${table})::int as n, (select count(*) from runs)::int as runs,
         (select count(*) from ${table} t where not exists (select 1 from runs r where r.id = t.${key}))::int as orphans`,
    );
    expect([table, rows[0].n, rows[0].orphans]).toEqual([table, rows[0].runs * perRun, 0]);
  }
  const { rows } = await db().query("select id from runs order by id");
  return rows.map((row) => row.id);
}

test("ended runs past their retention are deleted with everything that belongs to them, and nothing else is", async () => {
  await seed({ endedDays: 31 });
  await seed({ endedDays: 31, status: "failed" });
  await seed({ endedDays: 400, status: "timed_out" });
  const kept = [
    await seed({ endedDays: 29 }),
    await seed({ endedDays: 29, createdDays: 50 }),
    await seed({ endedDays: null, createdDays: 90 }),
    await seed({ endedDays: null, createdDays: 90, status: "accepted" }),
    await seed({ endedDays: null, createdDays: 90, status: "waiting_for_approval" }),
  ].flat();
  expect(await deleteOldRuns(30)).toBe(3);
  expect(await idsLeft()).toEqual(kept.sort());
  expect(await deleteOldRuns(30)).toBe(0);
});

test("a workspace's own setting applies to it alone; a default of 0 keeps the runs of the others forever", async () => {
  const other = await seedWorkflow(db(), { nodes: [], edges: [] });
  await db().query("update workspaces set run_retention_days = 7 where id = $1", [other.workspaceId]);
  await seed({ endedDays: 8, of: other });
  const kept = [await seed({ endedDays: 6, of: other }), await seed({ endedDays: 3_000 })].flat();
  expect(await deleteOldRuns(0)).toBe(1);
  expect(await idsLeft()).toEqual(kept.sort());
});

test("a run that an open run came from is kept until that one ends; ended replays lose their origin and stay", async () => {
  const [withReplay, withChild, done] = await seed({ endedDays: 60, count: 3 });
  const kept = [
    withReplay,
    withChild,
    ...(await seed({ endedDays: null, createdDays: 1, resumeFrom: withReplay ?? "" })),
    ...(await seed({ endedDays: null, createdDays: 1, parent: withChild ?? "" })),
    ...(await seed({ endedDays: 1, resumeFrom: done ?? "" })),
  ];
  expect(await deleteOldRuns(30)).toBe(1);
  expect(await idsLeft()).toEqual(kept.sort());
});

test("a run that is being replayed is skipped", async () => {
  const [held, free] = await seed({ endedDays: 60, count: 2 });
  await transaction(async (tx) => {
    await tx.query({ text: "select 1 from runs where id = $1 for key share", values: [held] });
    expect(await deleteOldRuns(30)).toBe(1);
  });
  expect(await idsLeft()).toEqual([held]);
  expect(free).toBeDefined();
});

test("only one worker deletes at a time", async () => {
  await seed({ endedDays: 60 });
  await transaction(async (tx) => {
    await tx.query({ text: "select pg_advisory_xact_lock($1)", values: [RETENTION_LOCK] });
    expect(await deleteOldRuns(30)).toBeNull();
  });
  expect(await deleteOldRuns(30)).toBe(1);
});

test("workers take runs while another one deletes", async () => {
  await transaction(async (tx) => {
    await tx.query({ text: "select pg_advisory_xact_lock($1)", values: [RETENTION_LOCK] });
    const request = { wanted: 1, slots: 1, afterWorkspace: NO_WORKSPACE, isOnlyNew: false };
    expect((await admitRuns(db(), { ...request, poolId: "here" })).runs).toEqual([]);
  });
});

test("no call deletes more than a batch of runs, and no statement more rows than its bound", async () => {
  await seed({ endedDays: 60, count: RETENTION_BATCH + 1 });
  const [long] = await seed({ endedDays: 70 });
  await db().query(
    `insert into execution_events (run_id, workspace_id, node_id, iteration, kind)
     select $1, $2, 'c', i::text, 'step_completed' from generate_series(1, 11998) i`,
    [long, workflow.workspaceId],
  );
  const deleted: number[] = [];
  // A connection keeps the query it was opened with.
  await closeDb();
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const sent = Reflect.apply(query, this, args) as Promise<pg.QueryResult>;
    if (/^delete/.test((args[0] as { text?: string }).text ?? ""))
      void sent.then((result) => deleted.push(result.rowCount ?? 0));
    return sent;
  } as typeof query;
  try {
    expect(await deleteOldRuns(30)).toBe(RETENTION_BATCH);
  } finally {
    pg.Client.prototype.query = query;
    await closeDb();
  }
  expect(deleted.length).toBeGreaterThan(4);
  expect(Math.max(...deleted)).toBeLessThanOrEqual(5_000);
  expect(deleted.reduce((sum, count) => sum + count)).toBe(12_000 + 499 * 2 + 3 * 500);
  expect(await idsLeft()).toHaveLength(2);
  expect(await deleteOldRuns(30)).toBe(2);
  expect(await idsLeft()).toEqual([]);
});

test("a week without any run is dropped whole, but not a week with a run, nor a recent one", async () => {
  await db().query(createPartitionsSql("now() - interval '60 days'"));
  const partitions = async () => {
    const { rows } = await db().query(
      "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'execution_events'::regclass order by 1",
    );
    return rows.map((row) => row.name);
  };
  const before = await partitions();
  const [kept] = await seed({ endedDays: 20, createdDays: 50 });
  await db().query(
    "insert into execution_events (run_id, workspace_id, node_id, kind) values (uuid_floor(now() - interval '40 days'), $1, 'orphan', 'step_started')",
    [workflow.workspaceId],
  );
  const dropped = await dropOldPartitions(0);
  expect(dropped.length).toBeGreaterThanOrEqual(10);
  const after = await partitions();
  const week = await db().query("select tableoid::regclass::text as name from execution_events where run_id = $1", [
    kept,
  ]);
  expect(after).toContain(week.rows[0].name);
  expect(after).toContain("execution_events_default");
  expect(after).toHaveLength(before.length - dropped.filter((name) => name.startsWith("execution")).length);
  expect(await idsLeft()).toEqual([kept]);
  expect(await dropOldPartitions(0)).toEqual([]);
});

test("the journal of a week that is over for every workspace is dropped with the week instead of deleted", async () => {
  await db().query(createPartitionsSql("now() - interval '90 days'"));
  const left = async () => {
    const { rows } = await db().query("select count(*)::int as n from execution_events");
    return rows[0].n;
  };
  const other = await seedWorkflow(db(), { nodes: [], edges: [] });
  await db().query("update workspaces set run_retention_days = 60 where id = $1", [other.workspaceId]);
  await seed({ endedDays: 75, count: 3 });
  await seed({ endedDays: 75, of: other });
  await seed({ endedDays: 45, count: 2 });
  const [kept] = await seed({ endedDays: 45, of: other });
  expect(await deleteOldRuns(30)).toBe(6);
  // Those of the week that the other workspace keeps are deleted at once.
  expect(await left()).toBe(2 * 4 + 2);
  await dropOldPartitions(0);
  expect(await idsLeft()).toEqual([kept]);
});

test("an open run keeps the journals of its week from being left behind", async () => {
  await db().query(createPartitionsSql("now() - interval '90 days'"));
  const [open] = await seed({ endedDays: null, createdDays: 75 });
  await seed({ endedDays: 75 });
  expect(await deleteOldRuns(30)).toBe(1);
  expect(await idsLeft()).toEqual([open]);
});

test("journals left for the drop of a week are deleted if a run that ended late, or an open replay, keeps the week", async () => {
  await db().query(createPartitionsSql("now() - interval '120 days'"));
  const [endedLate] = await seed({ endedDays: 20, createdDays: 50 });
  await seed({ endedDays: 50, count: 3 });
  const [origin] = await seed({ endedDays: 100, count: 4 });
  const [replay] = await seed({ endedDays: null, createdDays: 1, resumeFrom: origin ?? "" });
  // A week that is only dropped.
  await seed({ endedDays: 80, count: 2 });
  expect(await deleteOldRuns(30)).toBe(8);
  const left = "select count(*)::int as n from run_checkpoints";
  expect((await db().query(left)).rows).toEqual([{ n: 11 }]);
  while (await deleteLeftSteps(30));
  expect((await db().query(left)).rows).toEqual([{ n: 5 }]);
  await dropOldPartitions(0);
  expect(await idsLeft()).toEqual([endedLate, origin, replay].sort());
});

test("journals left in a week with more kept runs than a batch are found", async () => {
  await db().query(createPartitionsSql("now() - interval '60 days'"));
  const kept = await seed({ endedDays: 20, createdDays: 50, count: RETENTION_BATCH + 100 });
  await seed({ endedDays: 50, count: 100 });
  expect(await deleteOldRuns(30)).toBe(100);
  while (await deleteLeftSteps(30));
  expect(await idsLeft()).toEqual(kept.sort());
});

test("a week that only one of journal and checkpoints has as a partition is deleted row by row", async () => {
  await db().query(createPartitionsSql("now() - interval '90 days'"));
  await seed({ endedDays: 75 });
  const { rows } = await db().query("select tableoid::regclass::text as name from run_checkpoints");
  await db().query(`alter table run_checkpoints detach partition ${rows[0].name}; drop table ${rows[0].name}`);
  const { rows: runs } = await db().query("select id from runs");
  await db().query("insert into run_checkpoints (run_id, node_id, sealed) values ($1, 'a', '')", [runs[0].id]);
  expect(await deleteOldRuns(30)).toBe(1);
  expect(await idsLeft()).toEqual([]);
  await db().query(createPartitionsSql("now() - interval '90 days'"));
});

test("a partition in use is left for the next time instead of making the journal wait", async () => {
  await db().query(createPartitionsSql("now() - interval '30 days'", "now() - interval '30 days'"));
  const first = await transaction(async (tx) => {
    await tx.query({ text: "select 1 from execution_events limit 1" });
    return dropOldPartitions(0);
  });
  const second = await dropOldPartitions(0);
  expect(first.length).toBeGreaterThan(0);
  expect(first.filter((name) => name.startsWith("execution_events"))).toEqual([]);
  const kept = first.filter((name) => name.startsWith("run_checkpoints"));
  expect(second).toEqual(kept.map((name) => name.replace("run_checkpoints", "execution_events")));
});

test("idempotency keys are deleted when they expire, and their runs stay", async () => {
  const [, old] = await seed({ endedDays: 1, count: 2 });
  await db().query("update idempotency_keys set created_at = now() - interval '25 hours' where run_id = $1", [old]);
  expect(await deleteOldKeys()).toBe(false);
  const { rows } = await db().query("select (select count(*) from runs)::int as runs, run_id from idempotency_keys");
  expect(rows).toEqual([{ runs: 2, run_id: expect.not.stringMatching(old ?? "") }]);
});
