import { expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { getRun } from "#lib/domain/runs/read/get-run";
import { getRunStep } from "#lib/domain/runs/read/get-run-step";
import { listRuns } from "#lib/domain/runs/read/list-runs";
import { readStepsPage } from "#lib/domain/runs/read/read-steps-page";
import { edges, node, seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

const PAGE = { withPayloads: true, onlyFailed: false, maxSteps: LIMITS.stepsPageSize };
const READING = { steps: "full" as const, withEvents: true, actionSlugs: null };

/** A run whose step `a` in the loop `each` completed `iterations` times, each with an output of `characters` characters. */
async function seedLoop(iterations: number, characters: number, { isLoopOpen = false } = {}) {
  const inner = { ...node("a", "transform"), parentId: "each" };
  const definition = { nodes: [node("in", "action_input"), node("each", "loop"), inner], edges: edges("in>each") };
  const workflow = await seedWorkflow(db(), definition);
  const runId = await seedRun(db(), workflow, { isQueued: false });
  const addLoop = (kind: string, output: string | null) =>
    db().query(
      `insert into execution_events (run_id, workspace_id, node_id, kind, output_data) values ($1, $2, 'each', $3, $4)`,
      [runId, workflow.workspaceId, kind, output],
    );
  if (isLoopOpen) await addLoop("step_started", null);
  await db().query(
    `insert into execution_events (run_id, workspace_id, node_id, iteration, kind, attempt, input_data, output_data)
     select $1, $2, 'a', (i - 1)::text, 'step_completed', 1, '{}', to_jsonb(repeat('x', $4)) from generate_series(1, $3) i`,
    [runId, workflow.workspaceId, iterations, characters],
  );
  if (isLoopOpen) await addLoop("step_completed", JSON.stringify({ count: iterations }));
  return { workspaceId: workflow.workspaceId, runId };
}

async function readPages({ workspaceId, runId }: { workspaceId: string; runId: string }) {
  const pages = [];
  let stepsCursor: string | undefined;
  do {
    const { run: page } = await getRun(workspaceId, runId, { ...READING, stepsCursor });
    pages.push(page);
    stepsCursor = page.steps_page?.next_cursor ?? undefined;
  } while (stepsCursor !== undefined);
  return pages;
}

test("an ordinary run has all its steps in one answer, without a page", async () => {
  const { workspaceId, runId } = await seedLoop(50, 1_000);
  const { run } = await getRun(workspaceId, runId, READING);
  expect(run.steps).toHaveLength(50);
  expect(run).not.toHaveProperty("steps_page");
});

test("a run with many steps is read in pages that say how many there are, and every step is on one page", async () => {
  const pages = await readPages(await seedLoop(4_500, 10));
  expect(pages.map((page) => page.steps.length)).toEqual([2_000, 2_000, 500]);
  expect(pages[0]?.steps_page).toMatchObject({ total: 4_500, loops: [{ step_id: "each", steps: 4_500, failed: 0 }] });
  const paths = pages.flatMap((page) => page.steps.map((step) => step.iteration?.path));
  expect(new Set(paths).size).toBe(4_500);
  expect(pages.flatMap((page) => page.events ?? [])).toHaveLength(9_000);
});

test("a page reads no events of other pages, and the late end of a step is on the page of its start", async () => {
  const run = await seedLoop(4_500, 10, { isLoopOpen: true });
  const pages = await readPages(run);
  expect(pages.map((page) => page.steps.length)).toEqual([2_000, 2_000, 501]);
  expect(pages[0]?.steps[0]).toMatchObject({ step_id: "each", status: "completed", output: { count: 4_500 } });
  expect(pages[0]?.steps_page).toMatchObject({ total: 4_501, loops: [{ step_id: "each", steps: 4_500, failed: 0 }] });
  const events = pages.map((page) => page.events ?? []);
  expect(events[0]?.filter((event) => event.step_id === "each").map((event) => event.event)).toEqual(["step_started"]);
  expect(events.flat()).toHaveLength(9_002);
  expect(events[2]?.at(-1)).toMatchObject({ step_id: "each", event: "step_completed", outputData: { count: 4_500 } });
  const read = await readStepsPage({ ...PAGE, runId: run.runId, from: Number(pages[0]?.steps_page?.next_cursor) });
  expect(read.events).toHaveLength(2_000);
});

test("the failed steps of a large run are in one answer, wherever they are in the journal", async () => {
  const { workspaceId, runId } = await seedLoop(4_500, 10);
  await db().query(
    `update execution_events set kind = 'step_failed_continued', input_data = null, error = '{"code":"TIMEOUT","message":"30 s"}'
     where run_id = $1 and iteration in ('3', '4321')`,
    [runId],
  );
  const { run } = await getRun(workspaceId, runId, { ...READING, withEvents: false, steps: "failed" });
  expect(run.steps.map((step) => [step.iteration?.path, step.status])).toEqual([
    ["3", "failed_continued"],
    ["4321", "failed_continued"],
  ]);
  expect(run.steps_page).toEqual({
    total: 2,
    next_cursor: null,
    loops: [{ step_id: "each", steps: 4_500, failed: 2 }],
  });
});

test("a list with the steps of its runs shows the first steps of a large one, and where to read on", async () => {
  const { workspaceId, runId } = await seedLoop(4_500, 10);
  const { data } = await listRuns({ workspaceId, actionSlugs: null }, { limit: 20, order: "desc", withSteps: true });
  expect(data[0]?.steps).toHaveLength(100);
  expect(data[0]?.steps_page?.total).toBe(4_500);
  const stepsCursor = data[0]?.steps_page?.next_cursor ?? undefined;
  const { run: rest } = await getRun(workspaceId, runId, { ...READING, stepsCursor });
  expect(rest.steps[0]?.iteration?.path).toBe("100");
});

test("an event with more payloads than an answer may load is read alone, in full", async () => {
  const { workspaceId, runId } = await seedLoop(3, 1_000_000);
  await db().query("update execution_events set input_data = output_data where run_id = $1", [runId]);
  const pages = await readPages({ workspaceId, runId });
  expect(pages.map((page) => page.steps.length)).toEqual([1, 1, 1]);
  for (const { events = [] } of pages) {
    expect(events.map((event) => [event.inputData, event.outputData].join("").length)).toEqual([1_000_000, 1_000_000]);
  }
});

test("no answer loads more than 1 MiB of payloads, however well PostgreSQL compressed them, and none is lost", async () => {
  const run = await seedLoop(200, 60_000);
  const pages = await readPages(run);
  expect(pages.length).toBeGreaterThan(2);
  for (const page of pages) expect(JSON.stringify(page.events).length).toBeLessThan(1_200_000);
  const steps = pages.flatMap((page) => page.steps);
  expect(steps).toHaveLength(200);
  expect(steps.every((step) => step.output === "x".repeat(60_000) && !step.truncated)).toBe(true);
});

test("one step of a loop is read without its other iterations", async () => {
  const run = await seedLoop(200, 60_000);
  const step = await getRunStep({ ...run, actionSlugs: null, stepId: "a", occurrence: 150 });
  expect(step.output).toBe("x".repeat(60_000));
  expect(step.events.map((event) => event.iteration)).toEqual(["150", "150"]);
});
