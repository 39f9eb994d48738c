import { expect, test } from "vitest";
import { createSubWorkflow } from "#lib/domain/publish/create-sub-workflow";
import { getWorkflow } from "#lib/domain/workflows/get-workflow";
import { greeting, newEditor } from "#lib/domain/workflows/workflow.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const ann = await newEditor("ann");

const countWorkflows = async () => (await db().query("select 1 from workflows")).rowCount;
const NEW = { name: "Part", definition: greeting(), publishes: true };

test("a sub-workflow is created and published as an action in one step", async () => {
  const { workflow_id: id, published } = await createSubWorkflow(ann, { ...NEW, slug: "part" });
  expect(published).toBe(true);
  expect(await getWorkflow(ann.workspaceId, id)).toMatchObject({ deployed_version: 1, action: { slug: "part" } });
});

test("a taken slug leaves nothing behind", async () => {
  await createSubWorkflow(ann, { ...NEW, slug: "taken" });
  const before = await countWorkflows();
  await expect(createSubWorkflow(ann, { ...NEW, slug: "taken" })).rejects.toMatchObject({ code: "SLUG_TAKEN" });
  expect(await countWorkflows()).toBe(before);
});

test("steps that can't be published yet leave nothing behind, and become a draft on request", async () => {
  const definition = { ...greeting(), edges: [] };
  const before = await countWorkflows();
  const unfinished = { ...NEW, definition, slug: "unfinished" };
  await expect(createSubWorkflow(ann, unfinished)).rejects.toMatchObject({ code: "PUBLISH_VALIDATION_FAILED" });
  expect(await countWorkflows()).toBe(before);
  const { workflow_id: id } = await createSubWorkflow(ann, { ...unfinished, publishes: false });
  expect(await getWorkflow(ann.workspaceId, id)).toMatchObject({ deployed_version: null, action: null });
});
