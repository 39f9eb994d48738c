import type { ActionStatus, ApprovalPolicy } from "#lib/contract/action/action";
import type { InputSchema, OutputSchema } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import { pinTools } from "#lib/domain/connections/tools/pin-tools";
import { pinConnectors } from "#lib/domain/custom-connectors/load-custom-connectors";
import type { TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { type Db, db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

export interface TestAction {
  slug: string;
  actionId: string;
  workflowId: string;
  versionId: string;
}

interface ActionOptions {
  slug?: string;
  name?: string;
  description?: string;
  status?: ActionStatus;
  approvalPolicy?: ApprovalPolicy;
  inputSchema?: InputSchema;
  outputSchema?: OutputSchema | null;
  definition?: Definition;
  /** False creates an action without a current release. */
  isReleased?: boolean;
}

export const TEST_SCHEMA: InputSchema = {
  type: "object",
  properties: {
    name: { type: "string", description: "The person to greet" },
    count: { type: "integer", default: 1 },
  },
  required: ["name"],
};

const at = { x: 0, y: 0 };

export const TEST_DEFINITION: Definition = {
  nodes: [
    { id: "start", type: "action_input", position: at, data: { name: "Input", properties: [] } },
    { id: "greet", type: "transform", position: at, data: { name: "Greet", fields: [] } },
    { id: "end", type: "return_output", position: at, data: { properties: [] } },
  ],
  edges: [
    { id: "e1", source: "start", target: "greet" },
    { id: "e2", source: "greet", target: "end" },
  ],
};

/** For tests: inserts a published action row by row, so that its readers are tested without its writers. */
export async function addAction(workspace: TestWorkspace, options: ActionOptions = {}): Promise<TestAction> {
  const { workspaceId, userId } = workspace;
  const { slug = `action-${uuidv7().slice(-12)}`, definition = TEST_DEFINITION } = options;
  const [workflowId, actionId] = [uuidv7(), uuidv7()];
  await db().query(
    `insert into workflows (id, workspace_id, name, description, type, draft, created_by)
     values ($1, $2, $3, $4, 'callable', $5, $6)`,
    [workflowId, workspaceId, options.name ?? "Greeting", options.description ?? null, definition, userId],
  );
  await db().query(
    `insert into actions (id, workspace_id, workflow_id, slug, status, approval_policy)
     values ($1, $2, $3, $4, $5, $6)`,
    [actionId, workspaceId, workflowId, slug, options.status ?? "active", options.approvalPolicy ?? "never"],
  );
  const action = { slug, actionId, workflowId };
  const { versionId } = await addRelease(db(), workspace, action, 1, options);
  if (options.isReleased === false) {
    await db().query("update actions set current_release_id = null where id = $1", [actionId]);
  }
  return { ...action, versionId };
}

/** For tests: releases another version of the action's workflow. */
export async function addRelease(
  tx: Db,
  { workspaceId }: TestWorkspace,
  action: Pick<TestAction, "actionId" | "workflowId">,
  version: number,
  options: Pick<ActionOptions, "inputSchema" | "outputSchema" | "definition"> = {},
): Promise<{ versionId: string }> {
  const [versionId, releaseId] = [uuidv7(), uuidv7()];
  await tx.query({
    text: "update workflow_versions set status = 'archived' where workflow_id = $1",
    values: [action.workflowId],
  });
  await tx.query({
    text: `insert into workflow_versions (id, workspace_id, workflow_id, version, status, definition, input_schema, output_schema)
           values ($1, $2, $3, $4, 'deployed', $5, $6, $7)`,
    values: [
      versionId,
      workspaceId,
      action.workflowId,
      version,
      options.definition ?? TEST_DEFINITION,
      options.inputSchema ?? TEST_SCHEMA,
      options.outputSchema ?? null,
    ],
  });
  await pinConnectors(tx, workspaceId, versionId, options.definition ?? TEST_DEFINITION);
  await pinTools(tx, workspaceId, versionId, options.definition ?? TEST_DEFINITION);
  await tx.query({
    text: `insert into action_releases (id, workspace_id, action_id, workflow_version_id, version)
           values ($1, $2, $3, $4, $5)`,
    values: [releaseId, workspaceId, action.actionId, versionId, version],
  });
  await tx.query({
    text: "update actions set current_release_id = $2 where id = $1",
    values: [action.actionId, releaseId],
  });
  return { versionId };
}
