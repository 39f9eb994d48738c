import { beforeEach, expect, test } from "vitest";
import { isViolated } from "#bench/faults/result-table";
import { planDeliveries, type SentDelivery } from "#bench/faults/webhook-sender";
import { webhookRows } from "#bench/faults/webhook-violations";
import { madeCall, type OutsideCall } from "#bench/stage/outside";
import { addEvents, setRun } from "#lib/domain/runs/execute/run-journal.fixture";
import { type SeededWorkflow, seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { seededRandom } from "#lib/support/seeded-random.fixture";

useTestDatabase();

let workflow: SeededWorkflow;
let sent: SentDelivery[];
let calls: Map<string, OutsideCall[]>;

/** Two genuine deliveries, of which one was sent twice, and a forged one. */
beforeEach(async () => {
  await db().query("delete from runs");
  workflow = await seedWorkflow(db(), { nodes: [], edges: [] });
  [sent, calls] = [[], new Map()];
  for (const id of ["first", "second"]) sent.push({ ...answered(id), status: 202, runId: await addRun(id) });
  sent.push({ ...answered("second"), runId: of("second").runId, isDuplicate: true });
  sent.push({ ...answered("first"), forgery: "secret", status: 401, code: "INVALID_SIGNATURE" });
});

function answered(id: string): SentDelivery {
  return { id, body: "", forgery: null, status: 200, code: null, runId: null, isDuplicate: false, failures: 0 };
}

async function addRun(id: string): Promise<string> {
  const runId = await seedRun(db(), workflow, { input: { output: { body: { id } } } });
  await db().query("update runs set source = 'webhook' where id = $1", [runId]);
  await addEvents(workflow.workspaceId, runId, [{ kind: "step_completed", nodeId: "call" }]);
  await setRun(runId, "succeeded");
  call(runId, id);
  return runId;
}

function call(runId: string, id: string, iteration = ""): void {
  const made = { ...madeCall(`${runId}:call:${iteration}`), body: JSON.stringify({ id }) };
  calls.set(made.key, [...(calls.get(made.key) ?? []), made]);
}

function of(id: string) {
  const delivery = sent.find((one) => one.id === id && one.forgery === null);
  if (!delivery?.runId) throw new Error(`${id} has no run`);
  return { delivery, runId: delivery.runId };
}

async function violations(): Promise<string[]> {
  return (await webhookRows("webhooks", sent, calls, db())).filter(isViolated).map(({ what }) => what);
}

test("nothing is violated if each genuine delivery ran once, and the forged one was refused", async () => {
  call(of("first").runId, "first");
  expect(await violations()).toEqual([]);
});

const DAMAGES: [what: string, damage: () => unknown][] = [
  ["genuine deliveries that were not accepted in the end", () => Object.assign(of("first").delivery, { status: 500 })],
  ["genuine deliveries with two runs", () => addRun("first").then((runId) => calls.delete(`${runId}:call:`))],
  ["forged deliveries that were not answered 401", () => Object.assign(sent.at(-1) ?? {}, { status: 202 })],
  ["runs that did not succeed", () => setRun(of("first").runId, "failed")],
  [
    "calls that completed twice, or not at all",
    () => db().query("delete from execution_events where run_id = $1", [of("first").runId]),
  ],
  ["genuine deliveries that never called outside", () => calls.delete(`${of("first").runId}:call:`)],
  ["deliveries that called under two keys", () => call(of("first").runId, "first", "1")],
  ["calls of forged deliveries", () => call("0", "forged-1")],
  ["runs without a genuine delivery", () => addRun("forged-1").then((runId) => calls.delete(`${runId}:call:`))],
];

test.each(DAMAGES)("%s are counted, and nothing else", async (what, damage) => {
  await damage();
  expect(await violations()).toEqual([what]);
});

test("a lost run is missing for its delivery, and for the answer that named it", async () => {
  await db().query("delete from runs where id = $1", [of("first").runId]);
  expect(await violations()).toEqual(["genuine deliveries without a run", "answers that named another delivery's run"]);
});

test("a repetition that is answered with the run of another delivery is counted", async () => {
  Object.assign(sent[2] ?? {}, { runId: of("first").runId });
  expect(await violations()).toEqual(["answers that named another delivery's run"]);
});

test("a plan has genuine, repeated, and forged deliveries of every kind, and the same seed plans the same", () => {
  const plan = planDeliveries(1_000, seededRandom(1).next);
  expect(planDeliveries(1_000, seededRandom(1).next)).toEqual(plan);
  expect(new Set(plan.map(({ forgery }) => forgery)).size).toBe(6);
  const genuine = plan.filter(({ forgery }) => forgery === null);
  expect(new Set(genuine.map(({ id }) => id)).size).toBeLessThan(genuine.length);
  expect(plan.some(({ id, forgery }) => forgery !== null && genuine.some((one) => one.id === id))).toBe(true);
});
