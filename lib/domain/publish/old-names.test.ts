import { expect, test } from "vitest";
import type { ApiError } from "#lib/contract/error/api-error";
import type { Definition } from "#lib/contract/workflow/graph";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { previewPublish } from "#lib/domain/publish/preview-publish";
import { runAction } from "#lib/domain/runs/create/run-actions";
import { createWorkflow } from "#lib/domain/workflows/create-workflow";
import { updateWorkflow } from "#lib/domain/workflows/update-workflow";
import { greeting, newEditor } from "#lib/domain/workflows/workflow.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const ann = await newEditor("ann");

const ORDER = { name: "order_id", type: "string", required: true } as const;

/** Renames the field `order_id` to `order`, with or without keeping the old name. */
function renamed(aliases?: string[]): Definition {
  return greeting([{ ...ORDER, name: "order", ...(aliases === undefined ? {} : { aliases }) }]);
}

let slugs = 0;
async function publishRenamed() {
  slugs += 1;
  const slug = `orders-${slugs}`;
  const { workflow_id: workflowId } = await createWorkflow(ann, {
    name: "Orders",
    description: null,
    definition: greeting([ORDER]),
  });
  await deployWorkflow(ann, { workflowId, slug });
  await updateWorkflow(ann.workspaceId, workflowId, { definition: renamed() });
  return { workflowId, slug };
}

function call(slug: string, input: Record<string, unknown>) {
  const { workspaceId, userId } = ann;
  return runAction({ workspaceId, userId, plan: "business", slug, input, dryRun: true, source: "action" });
}

test("a renamed field is published without breaking callers once its old name is kept, and both names work", async () => {
  const { workflowId, slug } = await publishRenamed();
  const refusal = await deployWorkflow(ann, { workflowId }).catch((error: ApiError) => error.code);
  expect(refusal).toBe("BREAKING_SCHEMA_CHANGE");
  await updateWorkflow(ann.workspaceId, workflowId, { definition: renamed(["order_id"]) });
  const preview = await previewPublish(ann.workspaceId, workflowId);
  expect(preview.changes).toMatchObject([{ field: "order_id", kind: "renamed", new_field: "order", breaking: false }]);
  expect(preview.report).toBeNull();
  expect(await deployWorkflow(ann, { workflowId })).toMatchObject({ version: 2, breaking_changes: [] });
  for (const name of ["order", "order_id"]) {
    const { run } = await call(slug, { [name]: "A-1" });
    expect(run).toMatchObject({ action_release_version: 2, input: { order: "A-1" } });
  }
});

test("a call with both names of a field is refused, and the refusal names the field", async () => {
  const { workflowId, slug } = await publishRenamed();
  await updateWorkflow(ann.workspaceId, workflowId, { definition: renamed(["order_id"]) });
  await deployWorkflow(ann, { workflowId });
  const refusal = await call(slug, { order: "A-1", order_id: "A-1" }).catch((error: ApiError) => error);
  expect(refusal).toMatchObject({
    code: "INPUT_VALIDATION_FAILED",
    details: [{ field: "order_id", code: "alias_conflict" }],
  });
});

test("a workflow that still sends the old name to another action has no problem", async () => {
  const { workflowId, slug } = await publishRenamed();
  await updateWorkflow(ann.workspaceId, workflowId, { definition: renamed(["order_id"]) });
  await deployWorkflow(ann, { workflowId });
  const [start, answer] = greeting().nodes;
  if (start === undefined || answer === undefined) throw new Error("the greeting has two steps");
  const step = (input: object) => ({
    nodes: [
      start,
      { id: "call", type: "sub_workflow" as const, position: { x: 0, y: 100 }, data: { action_slug: slug, input } },
      answer,
    ],
    edges: [
      { id: "a", source: "start", target: "call" },
      { id: "b", source: "call", target: "answer" },
    ],
  });
  const problemsOf = async (input: object) => {
    const { problems } = await createWorkflow(ann, { name: "Caller", description: null, definition: step(input) });
    return problems.map(({ message }) => message);
  };
  expect(await problemsOf({ order_id: "A-1" })).toEqual([]);
  expect(await problemsOf({ order: "A-1" })).toEqual([]);
  expect(await problemsOf({})).toEqual([expect.stringContaining("input.order is required by the action")]);
  expect(await problemsOf({ order: "A", order_id: "A" })).toEqual([
    expect.stringContaining("order_id is another name of order"),
  ]);
});
