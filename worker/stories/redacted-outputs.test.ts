import { beforeEach, expect, test } from "vitest";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { between, useRunStage } from "#worker/stories/run-stage.fixture";

const stage = useRunStage();
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
  const run = await stage.startDefinition(mailing());
  expect(await stage.reaches(run, "succeeded")).toMatchObject({ output: { x: "Write to [REDACTED_EMAIL], order 7" } });
  const { rows } = await db().query("select r::text as stored from runs r where id = $1", [run.runId]);
  expect(rows[0].stored).toContain("[REDACTED_EMAIL], order 7");
  expect(rows[0].stored).not.toContain(MAIL);
});

test("by default the caller gets the output as it was produced, and it is stored redacted with its original sealed", async () => {
  await setRedaction(false);
  const run = await stage.startDefinition(mailing());
  await stage.reaches(run, "succeeded");
  expect((await stage.show(run)).output).toEqual({ x: `Write to ${MAIL}, order 7` });
  const { rows } = await db().query("select output from runs where id = $1", [run.runId]);
  expect(rows[0].output).toEqual({ x: "Write to [REDACTED_EMAIL], order 7" });
  expect(await isSealed(run)).toBe(true);
});

test("the setting of the workspace when a run ended decides what its callers get, even if it changes later", async () => {
  const redacted = await stage.startDefinition(mailing());
  await stage.reaches(redacted, "succeeded");
  await setRedaction(false);
  const whole = await stage.startDefinition(mailing());
  await stage.reaches(whole, "succeeded");
  for (const isOn of [true, false]) {
    await setRedaction(isOn);
    expect((await stage.show(redacted)).output).toEqual({ x: "Write to [REDACTED_EMAIL], order 7" });
    expect((await stage.show(whole)).output).toEqual({ x: `Write to ${MAIL}, order 7` });
  }
});

test("a run whose output cannot be decrypted stays readable, with the redacted output", async () => {
  await setRedaction(false);
  const run = await stage.startDefinition(mailing());
  await stage.reaches(run, "succeeded");
  await db().query("update runs set output_sealed = substring(output_sealed for 30) where id = $1", [run.runId]);
  expect((await stage.show(run)).output).toEqual({ x: "Write to [REDACTED_EMAIL], order 7" });
});

test("an output without anything to redact is stored once", async () => {
  const run = await stage.start([result("order 7")], "in>out");
  expect(await stage.reaches(run, "succeeded")).toMatchObject({ output: { x: "order 7" } });
  expect(await isSealed(run)).toBe(false);
});

test("the step that started a run reads its real output", async () => {
  const { slug } = await stage.addAction({ definition: mailing() });
  const sub = node("sub", "sub_workflow", { action_slug: slug, input: { name: "{{in.name}}" } });
  const count = node("count", "transform", { jsonata: '{ "at": $contains(sub.x, "@"), "size": $length(sub.x) }' });
  const run = await stage.start([sub, count, result("{{count.at}} {{count.size}}")], "in>sub>count>out");
  expect(await stage.reaches(run, "succeeded")).toMatchObject({
    output: { x: `true ${`Write to ${MAIL}, order 7`.length}` },
  });
});
