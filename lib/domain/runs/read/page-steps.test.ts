import { expect, test } from "vitest";
import { getRun } from "#lib/domain/runs/read/get-run";
import { getRunStep } from "#lib/domain/runs/read/get-run-step";
import { edges, node, seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

const READING = { steps: "full" as const, withEvents: true, actionSlugs: null };

/** A run whose step `a` in the loop `each` completed `iterations` times, each with an output of `characters` characters. */
async function seedLoop(iterations: number, characters: number) {
  const inner = { ...node("a", "transform"), parentId: "each" };
  const definition = { nodes: [node("in", "action_input"), node("each", "loop"), inner], edges: edges("in>each") };
  const workflow = await seedWorkflow(db(), definition);
  const runId = await seedRun(db(), workflow, { isQueued: false });
  await db().query(
    `insert into execution_events (run_id, workspace_id, node_id, iteration, kind, attempt, input_data, output_data)
     select $1, $2, 'a', (i - 1)::text, 'step_completed', 1, '{}', to_jsonb(repeat('x', $4)) from generate_series(1, $3) i`,
    [runId, workflow.workspaceId, iterations, characters],
  );
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

test("no answer loads more than 4 MiB of payloads, however well PostgreSQL compressed them, and none is lost", async () => {
  const run = await seedLoop(200, 60_000);
  const pages = await readPages(run);
  expect(pages.length).toBeGreaterThan(2);
  for (const page of pages) expect(JSON.stringify(page.events).length).toBeLessThan(4_400_000);
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
