import { expect, test } from "vitest";
import { listRuns } from "#lib/domain/runs/read/list-runs";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";
import { declareDead } from "#lib/domain/runs/recover/declare-dead";
import { db } from "#lib/platform/db/pool";
import { between, useRunStage } from "#worker/stories/run-stage.fixture";

const stage = useRunStage();

const sum = (value: unknown, id = "sum") => node(id, "transform", { fields: [{ name: "total", value }] });
const WARNING = {
  step_id: "sum",
  field: "fields.0.value",
  path: "action_input.nmae",
  resolved_until: "action_input",
  has: "{name, count}",
};

test("a path that does not resolve adds a warning to its step, to its run, and to the run in a list", async () => {
  const run = await stage.start([sum("{{action_input.nmae}}")], "in>sum>out");
  await stage.reaches(run, "succeeded");
  const { steps, warnings } = await stage.show(run);
  expect(warnings).toEqual([WARNING]);
  expect(steps.map((step) => step.warnings)).toEqual([undefined, [WARNING], undefined]);
  const listed = await listRuns(
    { workspaceId: run.workspaceId, actionSlugs: null },
    { limit: 1, order: "desc", withSteps: false },
  );
  expect(listed.data.map((item) => item.warnings)).toEqual([[WARNING]]);
});

test("a run whose paths all resolve stores and shows no warnings", async () => {
  const run = await stage.start([sum("{{action_input.name}}")], "in>sum>out");
  await stage.reaches(run, "succeeded");
  expect(await stage.show(run)).not.toHaveProperty("warnings");
  const { rows } = await db().query(
    `select count(r.warnings)::int + count(e.warnings)::int as stored
     from runs r cross join lateral journal_events(r.id) e where r.id = $1`,
    [run.runId],
  );
  expect(rows).toEqual([{ stored: 0 }]);
});

test("a mistake in a loop's body is one warning of the run, no matter how many iterations it has", async () => {
  const definition = {
    nodes: [
      node("in", "action_input", { properties: [] }),
      node("each", "loop", { items: [1, 2, 3], concurrency: 1, result: "{{sum.totl}}" }),
      { ...sum("{{each.itm}}"), parentId: "each" },
      node("few", "filter", {
        items: [1, 2, 3],
        match: "all",
        rules: [
          { left: "{{few.itme}}", operator: "equals", right: 1 },
          { left: "{{few.gone}}", operator: "exists" },
        ],
      }),
      node("out", "return_output", { properties: [{ name: "done", type: "string", value: "yes" }] }),
    ],
    edges: edges("in>each>few>out"),
  };
  const run = await stage.startDefinition(definition);
  await stage.reaches(run, "succeeded");
  expect((await stage.show(run)).warnings?.map(({ step_id, field, path }) => [step_id, field, path])).toEqual([
    ["sum", "fields.0.value", "each.itm"],
    ["each", "result", "sum.totl"],
    ["few", "rules.0.left", "few.itme"],
  ]);
});

test("a warning names fields, and redacts what the journal redacts", async () => {
  const byEmail = { "ada.lovelace@example.org": 1 };
  const run = await stage.startDefinition(between([sum('{{action_input.scores["bob@example.org"]}}')], "in>sum>out"), {
    name: "Ada",
    scores: byEmail,
  });
  await stage.reaches(run, "succeeded");
  const { warnings, steps } = await stage.show(run);
  expect(warnings).toEqual(steps[1]?.warnings);
  expect(warnings).toMatchObject([{ has: "{[REDACTED_EMAIL]}", resolved_until: "action_input.scores" }]);
  expect(JSON.stringify(warnings)).not.toMatch(/lovelace|bob@/);
});

test("a run that another worker resumes has the first worker's warnings, each once", async () => {
  stage.server.hold("/later");
  const run = await stage.start(
    [sum("{{action_input.nmae}}"), stage.call("later"), sum("{{sum.totl}}", "again")],
    "in>sum>later>again>out",
  );
  await stage.called("/later");
  const { poolId } = stage.worker;
  await stage.replaceWorker();
  await declareDead([poolId]);
  await stage.called("/later", 2);
  stage.server.release("/later");
  await stage.reaches(run, "succeeded");
  const { warnings, steps } = await stage.show(run);
  expect(warnings).toEqual([
    WARNING,
    { ...WARNING, step_id: "again", path: "sum.totl", resolved_until: "sum", has: "{total}" },
  ]);
  expect(steps.flatMap((step) => step.warnings ?? [])).toEqual(warnings);
});

test("a replay has the warnings of the steps that it keeps", async () => {
  stage.server.answer("/flaky", {}, 400);
  const run = await stage.start([sum("{{action_input.nmae}}"), stage.call("flaky")], "in>sum>flaky>out");
  await stage.reaches(run, "failed");
  expect((await stage.show(run)).warnings).toEqual([WARNING]);
  stage.server.answer("/flaky", {});
  const replayed = await stage.replay(run, { mode: "resume" });
  await stage.reaches(replayed, "succeeded");
  expect(await stage.show(replayed)).toMatchObject({
    warnings: [WARNING],
    steps: [{}, { reused: true, warnings: [WARNING] }, {}, {}],
  });
});

test("a run that a person cancels keeps the warnings of its steps", async () => {
  stage.server.hold("/never");
  const run = await stage.start([sum("{{action_input.nmae}}"), stage.call("never")], "in>sum>never>out");
  await stage.called("/never");
  expect((await stage.show(run)).warnings).toEqual([WARNING]);
  await stage.cancel(run);
  expect(await stage.show(run)).toMatchObject({ status: "cancelled", warnings: [WARNING] });
});

test("a number beyond 2^53 in a response is a text, with a warning of its step and its run", async () => {
  stage.server.answer("/order", { lines: [{ id: 2 ** 60, n: 1 }] });
  const nodes = [stage.call("order"), sum("{{order.body.lines[0].id}}")];
  const run = await stage.start(nodes, "in>order>sum>out");
  await stage.reaches(run, "succeeded");
  const { warnings, steps } = await stage.show(run);
  const path = "response.lines[0].id";
  const warning = { code: "NUMBER_AS_TEXT", step_id: "order", field: "response", path, resolved_until: path };
  expect(warnings).toEqual([{ ...warning, has: "a text" }]);
  expect(steps.map((step) => step.warnings)).toEqual([undefined, warnings, undefined, undefined]);
  expect(steps[2]?.output).toEqual({ total: "1152921504606847000" });
});
