import { beforeAll, describe, expect, test } from "vitest";
import { invoke } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callRest } from "#lib/api/rest/rest.fixture";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import { loadOutputs } from "#lib/domain/journal/checkpoints/load-outputs";
import { loadProgress } from "#lib/domain/journal/checkpoints/load-progress";
import { addKey } from "#lib/domain/keys/key.fixture";
import { previewReplay } from "#lib/domain/runs/create/preview-replay";
import { findContinuedNodes } from "#lib/domain/runs/read/find-continued-nodes";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import { readStepsPage } from "#lib/domain/runs/read/read-steps-page";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";
import { readJournals, selectTracedRuns } from "#lib/domain/runs/traces/read-journals";
import { placesOf } from "#lib/platform/db/find-text.fixture";
import { db } from "#lib/platform/db/pool";
import { useRunStage } from "#worker/stories/run-stage.fixture";
import { until } from "#worker/supervise/worker-process.fixture";

const stage = useRunStage();

const EMAIL = "ada.lovelace@example.org";

/** One output is sealed, one keeps the order of its keys, one branch is skipped, and one step has a warning. */
const NODES = [
  node("in", "action_input", { properties: [{ name: "name", type: "string" }] }),
  node("note", "transform", {
    fields: [
      { name: "zeta", value: "{{action_input.name}}" },
      { name: "a", value: { "10": 1, b: [{ y: 1, x: "ж" }] } },
    ],
  }),
  node("check", "condition", { match: "all", rules: [{ left: "{{note.a.b}}", operator: "exists" }] }),
  node("never", "transform", { fields: [{ name: "x", value: "1" }] }),
  node("out", "return_output", { properties: [{ name: "to", type: "string", value: "{{note.zeta}}" }] }),
];
const LAST = node("last", "transform", { fields: [{ name: "n", value: "{{note.b}}" }] });
const PURE: Definition = {
  nodes: [...NODES, LAST],
  edges: edges("in>note>check.true>last", "check.false>never", "last>out"),
};
/** The journal is written before the code runs, and continued with the end. */
const WITH_CODE: Definition = {
  nodes: [
    ...NODES,
    node("each", "loop", { items: [1, 2, 3], concurrency: 1, result: "{{sum.total}}" }),
    { ...node("sum", "transform", { fields: [{ name: "total", value: "{{each.itm}}" }] }), parentId: "each" },
    node("last", "code", {
      source: "console.log('one'); throw new Error('no')",
      input: {},
      continueOnFailure: true,
    }),
  ],
  edges: edges("in>note>check.true>each", "check.false>never", "each>last>out"),
};
/** Large values pass from step to step, in fields of any depth. One is sealed, and one keeps the order of its keys. */
const WITH_LARGE: Definition = {
  nodes: [
    node("in", "action_input", {
      properties: [
        { name: "name", type: "string" },
        { name: "rows", type: "array" },
      ],
    }),
    node("note", "transform", {
      fields: [
        { name: "zeta", value: "{{action_input.name}}" },
        { name: "rows", value: "{{action_input.rows}}" },
        { name: "inner", value: { body: "{{action_input.rows}}", text: "{{action_input.text}}" } },
      ],
    }),
    node("check", "condition", { match: "all", rules: [{ left: "{{note.rows}}", operator: "exists" }] }),
    node("never", "transform", { fields: [{ name: "x", value: "1" }] }),
    node("sum", "transform", { fields: [{ name: "all", value: ["{{note.inner}}", "{{note.rows}}", '\\ufffd "x"'] }] }),
    node("out", "return_output", { properties: [{ name: "to", type: "string", value: "{{note.zeta}}" }] }),
    LAST,
  ],
  edges: edges("in>note>check.true>sum", "check.false>never", "sum>last>out"),
};
const LARGE_INPUT = {
  text: `${'some words of a "text"\n'.repeat(1_000)}`,
  rows: Array.from({ length: 500 }, (_, id) => ({ name: "ж some words", id, "10": [{ y: 1, x: null }] })),
};
const STEPS = WITH_CODE.nodes.map(({ id }) => id);

let key: string;
beforeAll(async () => {
  key = (await addKey(stage.workspace)).raw_key;
});

/** A worker that is busy or starting may write the events of pure steps earlier, so the test calls again. */
function packedRun(definition: Definition, isComplete: boolean, more: JsonObject = {}): Promise<RunReference> {
  return until("a run with packed events", async () => {
    const run = await stage.startDefinition(definition, { name: EMAIL, ...more });
    await stage.reaches(run, "succeeded");
    const { rows, packed } = await readStored(run);
    return packed === 1 && isComplete === (rows === 0) && run;
  });
}

/** Stores the packed events of a run as rows, in the same places. */
async function unpack({ runId }: RunReference): Promise<void> {
  await db().query(
    `with rows as (
       insert into execution_events overriding system value select * from journal_events($1) e
         where not exists (select from execution_events f where f.run_id = e.run_id and f.seq = e.seq)
     ) delete from journal_ends where run_id = $1`,
    [runId],
  );
}

async function readStored({ runId }: RunReference): Promise<{ rows: number; packed: number }> {
  const { rows } = await db().query(
    `select (select count(*)::int from execution_events where run_id = $1) as rows,
       (select count(*)::int from journal_ends where run_id = $1) as packed`,
    [runId],
  );
  return rows[0];
}

/**
 * Returns what every reader of journals reads, as texts by reader: they show the order of keys. A run shows packed events as
 * they were written, and rows in the order of jsonb, so there the keys are sorted.
 */
async function readEverywhere(run: RunReference): Promise<Record<string, string>> {
  const { workspaceId, runId } = run;
  const caller = { kind: "user", role: "editor", name: "Ada", ...stage.workspace, workspaceId } as const;
  const read = async (name: string, input: object) => {
    const operation = OPERATIONS.find((one) => one.name === name);
    if (!operation) throw new Error(`there is no operation ${name}`);
    return invoke(operation, caller, { run_id: runId, ...input }, requestContext());
  };
  const found: Record<string, unknown> = {};
  found.events = withSortedKeys((await callRest("GET", `/runs/${runId}?include=events`, { key })).body);
  found.steps = withSortedKeys((await callRest("GET", `/runs/${runId}`, { key })).body);
  found.summary = withSortedKeys((await callRest("GET", `/runs/${runId}?steps=summary`, { key })).body);
  found.list = (await callRest("GET", "/runs?include=steps", { key })).body;
  found.page = withSortedKeys(await read("get_run_status", { steps: "full" }));
  found.graph = await read("get_run_graph", {});
  for (const stepId of STEPS) {
    found[`step ${stepId}`] = await read("get_run_step", { step_id: stepId }).catch(String);
  }
  found["the last iteration"] = await read("get_run_step", { step_id: "sum", occurrence: 2 }).catch(String);
  for (const withPayloads of [true, false]) {
    for (let from: number | null = 0; from !== null; ) {
      const page = await readStepsPage({ runId, from, withPayloads, onlyFailed: false, maxSteps: 3 });
      found[`steps from ${from}, ${withPayloads}`] = page;
      from = page.nextSeq;
    }
  }
  found.failed = await readStepsPage({ runId, from: 0, withPayloads: true, onlyFailed: true, maxSteps: 3 });
  const { shown, real } = await loadOutputs(db(), run, STEPS);
  found.outputs = STEPS.map((id) => [id, shown[id], real[id]]);
  const { progress, ...sizes } = await loadProgress(db(), { ...run, journalBytes: null });
  found.progress = [[...progress].map(([step, { ...state }]) => [step, { ...state, ageMs: 0 }]), sizes];
  found.continued = [...(await findContinuedNodes(db(), run))];
  found.preview = await previewReplay(run);
  const traced = await selectTracedRuns.all(db(), { runIds: [runId] });
  for await (const [, gathered] of readJournals(traced)) {
    found.traces = JSON.stringify(gathered, (_key, value) => (value instanceof Map ? [...value] : value));
  }
  return Object.fromEntries(Object.entries(found).map(([reader, value]) => [reader, JSON.stringify(value)]));
}

/** A payload that was cut is a text whose keys cannot be sorted: its length remains. */
function withSortedKeys(value: unknown): unknown {
  if (typeof value === "string" && value.length > 60_000) return value.length;
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (value instanceof Date || typeof value !== "object" || value === null) return value;
  const sorted = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, member]) => [key, withSortedKeys(member)]));
}

async function replayFrom(run: RunReference, stepId: string) {
  const replay = await stage.replay(run, { stepId });
  await stage.reaches(replay, "succeeded");
  const { rows } = await db().query(
    `select node_id, iteration, kind, attempt, at, duration_ms, input_data, output_data, output_written::text, error,
       output_sealed, warnings::text, console::text from journal_events($1) where reused order by seq`,
    [replay.runId],
  );
  const { output } = await stage.row(replay);
  return { reused: rows, output, real: (await loadOutputs(db(), replay, STEPS)).real };
}

describe("a run whose journal is packed with its end", () => {
  test.each([
    ["completely", PURE, true, {}],
    ["in part", WITH_CODE, false, {}],
    ["with large values stored once", WITH_LARGE, true, LARGE_INPUT],
  ])("%s reads and replays like the same run with rows", async (_, definition, isComplete, input) => {
    const run = await packedRun(definition, isComplete, input);
    const packed = { read: await readEverywhere(run), from: await replayFrom(run, "last") };
    expect(packed.from.reused.map(({ node_id: id }) => id)).toContain("never");
    expect(packed.from.real.note).toMatchObject({ zeta: EMAIL });

    await unpack(run);
    expect(await readStored(run)).toMatchObject({ packed: 0 });
    const rows = { read: await readEverywhere(run), from: await replayFrom(run, "last") };
    // A list also shows the replay that was made in between.
    const { list: _packedList, ...packedRead } = packed.read;
    const { list: _rowsList, ...rowsRead } = rows.read;
    expect(rowsRead).toEqual(packedRead);
    expect(rows.from).toEqual(packed.from);
    // Also in the order of their keys.
    for (const id of STEPS) expect(JSON.stringify(rows.from.real[id])).toBe(JSON.stringify(packed.from.real[id]));
  });

  test("contains no secret of the input", async () => {
    expect(await placesOf([EMAIL])).toEqual([]);
  });
});
