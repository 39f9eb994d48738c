import { beforeEach, expect, test } from "vitest";
import { addAction } from "#lib/domain/actions/action.fixture";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { between, reachesStatus, show, startRun, useWorkerStage } from "#worker/worker-stage.fixture";

const stage = useWorkerStage();
const MAIL = "ada@example.com";
const result = (value: string) => node("out", "return_output", { properties: [{ name: "x", type: "string", value }] });
const mailing = () => between([result(`Write to ${MAIL}, order 7`)], "in>out");

beforeEach(() => setRedaction(true));

async function setRedaction(isOn: boolean): Promise<void> {
  await db().query("update workspaces set redact_outputs = $2 where id = $1", [stage.workspace.workspaceId, isOn]);
}

async function isSealed({ runId }: RunReference): Promise<boolean> {
  const { rows } = await db().query("select output_sealed is not null as sealed from runs where id = $1", [runId]);
  return rows[0].sealed;
}

test("a workspace that redacts outputs stores and shows them redacted like the journal", async () => {
  const run = await startRun(stage, mailing());
  expect(await reachesStatus(run, "succeeded")).toMatchObject({ output: { x: "Write to [REDACTED_EMAIL], order 7" } });
  const { rows } = await db().query("select r::text as stored from runs r where id = $1", [run.runId]);
  expect(rows[0].stored).toContain("[REDACTED_EMAIL], order 7");
  expect(rows[0].stored).not.toContain(MAIL);
});

test("by default the caller gets the output as it was produced, and it is stored redacted with its original sealed", async () => {
  await setRedaction(false);
  const run = await startRun(stage, mailing());
  await reachesStatus(run, "succeeded");
  expect((await show(run)).output).toEqual({ x: `Write to ${MAIL}, order 7` });
  const { rows } = await db().query("select output from runs where id = $1", [run.runId]);
  expect(rows[0].output).toEqual({ x: "Write to [REDACTED_EMAIL], order 7" });
  expect(await isSealed(run)).toBe(true);
});

test("the setting of the workspace when a run ended decides what its callers get, even if it changes later", async () => {
  const redacted = await startRun(stage, mailing());
  await reachesStatus(redacted, "succeeded");
  await setRedaction(false);
  const whole = await startRun(stage, mailing());
  await reachesStatus(whole, "succeeded");
  for (const isOn of [true, false]) {
    await setRedaction(isOn);
    expect((await show(redacted)).output).toEqual({ x: "Write to [REDACTED_EMAIL], order 7" });
    expect((await show(whole)).output).toEqual({ x: `Write to ${MAIL}, order 7` });
  }
});

test("a run whose output cannot be decrypted stays readable, with the redacted output", async () => {
  await setRedaction(false);
  const run = await startRun(stage, mailing());
  await reachesStatus(run, "succeeded");
  await db().query("update runs set output_sealed = substring(output_sealed for 30) where id = $1", [run.runId]);
  expect((await show(run)).output).toEqual({ x: "Write to [REDACTED_EMAIL], order 7" });
});

test("an output without anything to redact is stored once", async () => {
  const run = await startRun(stage, between([result("order 7")], "in>out"));
  expect(await reachesStatus(run, "succeeded")).toMatchObject({ output: { x: "order 7" } });
  expect(await isSealed(run)).toBe(false);
});

test("the step that started a run reads its real output", async () => {
  const { slug } = await addAction(stage.workspace, { definition: mailing() });
  const sub = node("sub", "sub_workflow", { action_slug: slug, input: { name: "{{in.name}}" } });
  const count = node("count", "transform", { jsonata: '{ "at": $contains(sub.x, "@"), "size": $length(sub.x) }' });
  const run = await startRun(
    stage,
    between([sub, count, result("{{count.at}} {{count.size}}")], "in>sub", "sub>count", "count>out"),
  );
  expect(await reachesStatus(run, "succeeded")).toMatchObject({
    output: { x: `true ${`Write to ${MAIL}, order 7`.length}` },
  });
});
