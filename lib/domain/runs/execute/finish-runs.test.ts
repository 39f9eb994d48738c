import { describe, expect, test } from "vitest";
import type { EngineEvent } from "#lib/core/engine/ports";
import { NO_MASK } from "#lib/core/redaction/mask-texts";
import { EMPTY_BATCH } from "#lib/domain/journal/append-events";
import { prepareBatch } from "#lib/domain/journal/checkpoints/prepare-batch";
import { finishRuns } from "#lib/domain/runs/execute/finish-runs";
import { claimRun, openRun } from "#lib/domain/runs/execute/lease.fixture";
import { edges, node, seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { type Db, db, transaction } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

const SUCCEEDED = {
  outcome: { status: "succeeded", output: { shown: '{"text":"Hello"}', sealed: null, servesSealed: false } },
  usedMs: 1,
} as const;

async function seedRuns(count: number) {
  const nodes = [node("in", "action_input", { properties: [] }), node("out", "return_output", { properties: [] })];
  const workflow = await seedWorkflow(db(), { nodes, edges: edges("in>out") });
  const runIds: string[] = [];
  while (runIds.length < count) runIds.push(await seedRun(db(), workflow, { isQueued: true }));
  return { ...workflow, runIds };
}

/** Ends a run with a batch of events, or writes the events as rows before the end. */
async function finish(tx: Db, runId: string, batch = EMPTY_BATCH, { asRows = false } = {}): Promise<void> {
  const run = await openRun(tx, runId);
  if (!run) throw new Error("the run is not there");
  if (asRows) await claimRun(tx, run.lease, { poolId: "test", usedMs: 1, batch, isRepeat: false });
  expect(await finishRuns(tx, [{ ...SUCCEEDED, lease: run.lease, batch: asRows ? EMPTY_BATCH : batch }])).toEqual([
    true,
  ]);
}

// One transaction can only use the room that a page has left: the rows that it replaces stay until its end.
test("the success of pure runs adds no entry to an index of runs", async () => {
  const { runIds } = await seedRuns(5);
  await transaction(async (tx) => {
    for (const runId of runIds) await finish(tx, runId);
    const updated = "pg_stat_get_xact_tuples_updated('runs'::regclass)::int";
    const hot = "pg_stat_get_xact_tuples_hot_updated('runs'::regclass)::int";
    const { rows } = await tx.query({ text: `select ${updated} as updated, ${hot} as hot`, values: [] });
    expect(rows).toEqual([{ updated: 5, hot: 5 }]);
  });
});

test("no generated column of runs calls a function that each statement parses and plans again", async () => {
  const { rows } = await db().query<{ name: string; is_kept: boolean }>(
    `select p.proname as name, p.proconfig is not null as is_kept from pg_attrdef a
     join pg_depend d on d.classid = 'pg_attrdef'::regclass and d.objid = a.oid and d.refclassid = 'pg_proc'::regclass
     join pg_proc p on p.oid = d.refobjid
     where a.adrelid = 'runs'::regclass and p.pronamespace = 'public'::regnamespace`,
  );
  expect(rows).toEqual([{ name: "error_words", is_kept: true }]);
});

describe("the events that a run writes with its end", () => {
  const now = new Date();
  const event = (nodeId: string, more: Partial<EngineEvent> = {}): EngineEvent => ({
    kind: "step_completed",
    nodeId,
    iteration: "",
    attempt: 1,
    durationMs: 3,
    ...more,
    at: new Date(now.getTime() - 1_234),
  });
  /** Every column, and what is a default or nothing. The first two become one. */
  const EVENTS: EngineEvent[] = [
    event("in", { kind: "step_started", inputData: { a: 1 } }),
    event("in", { outputData: { zeta: 1, a: [null, "ж", { "10": 1, b: 2 }] }, console: ["one"] }),
    event("each", { iteration: "0.1", attempt: 3, outputData: "ada@example.com \ud800" }),
    event("never", { kind: "step_skipped", skipReason: "disabled" }),
    event("again", { kind: "step_started", attempt: 2, answeredAttempts: 1, error: { code: "TIMEOUT", message: "m" } }),
    event("warned", {
      kind: "step_failed_continued",
      error: { code: "TIMEOUT", message: "30 s" },
      warnings: [{ step_id: "warned", field: "f", path: "p", resolved_until: "", has: "{}" }],
      outputData: null,
    }),
  ];

  /** Reads two journals that were written in one transaction, at the same time of the database. */
  async function readBoth(events: readonly EngineEvent[], packs: readonly boolean[]) {
    const { runIds, workspaceId } = await seedRuns(2);
    return transaction(async (tx) => {
      const pool =
        "insert into worker_heartbeats (pool_id, host, pid) values ('test', 'test', 1) on conflict do nothing";
      await tx.query({ text: pool });
      for (const [index, runId] of runIds.entries()) {
        const batch = await prepareBatch({ runId, workspaceId, mask: NO_MASK }, events, now);
        await finish(tx, runId, batch, { asRows: !packs[index] });
      }
      const { rows } = await tx.query({
        text: `select g.id, (select count(*)::int from execution_events where run_id = g.id) as rows,
            (select count(*)::int from journal_ends where run_id = g.id) as packed,
            (select array_agg((to_jsonb(e) - '{run_id,seq}'::text[])::text || coalesce(e.output_written::text, '')
                || e.seq - (select min(f.seq) from journal_events(g.id) f) order by e.seq)
              from journal_events(g.id) e) as events
          from unnest($1::uuid[]) with ordinality as g (id, place) order by place`,
        values: [runIds],
      });
      return rows.map((row) => ({ stored: [row.rows, row.packed], events: row.events }));
    });
  }

  test("are one row, and read like rows of their own", async () => {
    const [packed, rows] = await readBoth(EVENTS, [true, false]);
    expect(packed?.stored).toEqual([0, 1]);
    expect(rows?.stored).toEqual([EVENTS.length - 1, 0]);
    expect(packed?.events).toEqual(rows?.events);
  });

  test("are one row with each large value once, and read like rows of their own", async () => {
    const text = `${'words of a "text"\\n '.repeat(1_000)}`;
    const rows = Array.from({ length: 600 }, (_, id) => ({ name: "ж", id, "10": [null, { y: 1.5, x: "😀" }] }));
    const deep = { a: { b: { c: { d: { e: { f: rows } } } } } };
    const large = [
      event("in", { kind: "step_started", inputData: { text, rows } }),
      event("in", { outputData: { zeta: rows, a: [text, text, { rows }], deep } }),
      event("text", { kind: "step_started", inputData: text }),
      event("text", { outputData: rows }),
      event("changed", { outputData: { mail: `${text} ada@example.com`, rows } }),
      event("altered", { outputData: [`${text} \ud800`, "\u0000", text, 'a \\ufffd "b"'] }),
      event("small", { outputData: { a: 1 }, console: ["one"] }),
    ];
    const [packed, separate] = await readBoth(large, [true, false]);
    expect(packed?.stored).toEqual([0, 1]);
    expect(separate?.stored).toEqual([5, 0]);
    expect(packed?.events).toEqual(separate?.events);
    expect(JSON.stringify(packed?.events)).not.toContain("ada@");
  });

  test("are rows if there is only one, or if they are large", async () => {
    const [one, large] = [
      [event("out")],
      ["in", "mid", "out"].map((id) => event(id, { outputData: "word ".repeat(1_500) })),
    ];
    expect((await readBoth(one, [true, true])).map(({ stored }) => stored)).toEqual([
      [1, 0],
      [1, 0],
    ]);
    expect((await readBoth(large, [true, true])).map(({ stored }) => stored)).toEqual([
      [3, 0],
      [3, 0],
    ]);
  });
});
