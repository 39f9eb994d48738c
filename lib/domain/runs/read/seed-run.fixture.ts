import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { pathEdges } from "#lib/core/graph/graph.fixture";
import type { Db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

/** A published workflow whose runs are tested. */
export interface SeededWorkflow {
  workspaceId: string;
  workflowId: string;
  versionId: string;
}

/** For tests: creates a workspace with one deployed version of the definition. */
export async function seedWorkflow(db: Db, definition: Definition): Promise<SeededWorkflow> {
  const [workspaceId, workflowId, versionId] = [uuidv7(), uuidv7(), uuidv7()];
  await db.query({
    text: "insert into workspaces (id, slug, name) values ($1, $2, 'Test')",
    values: [workspaceId, `test-${workspaceId}`],
  });
  await db.query({
    text: `insert into workflows (id, workspace_id, name, type, draft) values ($1, $2, 'Test', 'callable', $3)`,
    values: [workflowId, workspaceId, JSON.stringify(definition)],
  });
  await db.query({
    text: `insert into workflow_versions (id, workspace_id, workflow_id, version, status, definition)
           values ($1, $2, $3, 1, 'deployed', $4)`,
    values: [versionId, workspaceId, workflowId, JSON.stringify(definition)],
  });
  return { workspaceId, workflowId, versionId };
}

/** For tests: inserts an accepted run, and queues it unless `isQueued` is false. */
export async function seedRun(
  db: Db,
  workflow: SeededWorkflow,
  { input = {}, isQueued = true }: { input?: JsonObject; isQueued?: boolean } = {},
): Promise<string> {
  const id = uuidv7();
  await db.query({
    name: "seed_run",
    text: `with run as (
        insert into runs (id, workspace_id, workflow_id, workflow_version_id, source, input, correlation_id)
        values ($1::uuid, $2, $3, $4, 'action', $5, $1::uuid::text) returning id, workspace_id
      ), queued as (
        insert into run_queue (run_id, workspace_id) select id, workspace_id from run where $6
      )
      select pg_notify('runs_queued', '') from run where $6`,
    values: [id, workflow.workspaceId, workflow.workflowId, workflow.versionId, JSON.stringify(input), isQueued],
  });
  return id;
}

/** For tests: builds a node. */
export function node(id: string, type: GraphNode["type"], data: JsonObject = {}): GraphNode {
  return { id, type, data, position: { x: 0, y: 0 } };
}

/** For tests: builds the edges of paths such as "a>b.true>c, b.false>d". `true` is the branch of `b` that an edge leaves. */
export function edges(...paths: string[]): Definition["edges"] {
  return pathEdges(...paths.flatMap((path) => path.split(", ")));
}
