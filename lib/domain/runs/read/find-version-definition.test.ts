import { expect, test, vi } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { findVersionDefinition } from "#lib/domain/runs/read/find-version-definition";
import { edges, node, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

test("definitions are kept up to a number of bytes, not of versions", async () => {
  const large = node("a", "transform", { fields: [{ name: "x", value: "x".repeat(1_000_000) }] });
  const workflow = await seedWorkflow(db(), { nodes: [node("in", "action_input"), large], edges: edges("in>a") });
  const { rows } = await db().query(
    `insert into workflow_versions (id, workspace_id, workflow_id, version, status, definition)
     select gen_random_uuid(), v.workspace_id, v.workflow_id, 1 + i, 'archived', v.definition
     from workflow_versions v, generate_series(1, $2) i where v.workflow_id = $1 returning id`,
    [workflow.workflowId, Math.ceil(LIMITS.definitionCacheBytes / 1_000_000)],
  );
  for (const { id } of rows) expect((await findVersionDefinition(id))?.nodes).toHaveLength(2);
  const query = vi.spyOn(db(), "query");
  await findVersionDefinition(rows.at(-1).id);
  expect(query).not.toHaveBeenCalled();
  await findVersionDefinition(rows[0].id);
  expect(query).toHaveBeenCalledOnce();
  query.mockRestore();
});
