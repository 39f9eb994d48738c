import { expect, test } from "vitest";
import type { Caller } from "#lib/api/operations/define/caller";
import { invoke } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import { SCOPES } from "#lib/contract/key/scopes";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import { greeting } from "#lib/domain/workflows/workflow.fixture";
import { exportWorkflow } from "#lib/domain/workflows/workflow-document";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const workspace = await addWorkspace();
const { workspaceId, userId } = workspace;
const common = { workspaceId, userId, plan: "business", name: "test" } as const;
const callers: Record<"agent" | "person", Caller> = {
  agent: { ...common, kind: "api_key", keyId: userId, prefix: "svc_test", scopes: SCOPES, actionSlugs: null },
  person: { ...common, kind: "user", role: "owner" },
};

const PROPERTY = { name: "text", type: "string", value: "{{action_input.note}}" };
/** An output that does not say whether it is required. */
function silent(): Definition {
  const { nodes, edges } = greeting([{ name: "note", type: "string", required: false }]);
  return {
    nodes: nodes.map((node) => (node.id === "answer" ? { ...node, data: { properties: [PROPERTY] } } : node)),
    edges,
  };
}

async function call(caller: Caller, name: string, input: object): Promise<JsonObject> {
  const operation = OPERATIONS.find((candidate) => candidate.name === name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  return (await invoke(operation, caller, input, requestContext())) as JsonObject;
}
const create = async (caller: Caller, definition: Definition = greeting()) =>
  call(caller, "create_workflow", { name: "Note", definition });

/** Every path on which a definition is saved, by the id of the workflow that it leaves. */
const PATHS: Record<string, (caller: Caller) => Promise<unknown>> = {
  create_workflow: async (caller) => (await create(caller, silent())).workflow_id,
  "update_workflow with a definition": async (caller) => {
    const { workflow_id } = await create(caller);
    await call(caller, "update_workflow", { workflow_id, definition: silent() });
    return workflow_id;
  },
  "update_workflow with operations": async (caller) => {
    const { workflow_id } = await create(caller, { ...silent(), nodes: silent().nodes.slice(0, 1), edges: [] });
    const [, node] = silent().nodes;
    const operations = [
      { op: "add_node", node },
      { op: "add_edge", source: "start", target: "answer" },
    ];
    await call(caller, "update_workflow", { workflow_id, operations });
    return workflow_id;
  },
  save_draft: async (caller) => {
    const { workflow_id, draft_revision: expected_revision } = await create(caller);
    await call(callers.person, "save_draft", { workflow_id, expected_revision, definition: silent() });
    return workflow_id;
  },
  "import_workflow, also headless": async (caller) => {
    const { workflow_id } = await create(caller, silent());
    const document = await exportWorkflow(workspace.workspaceId, String(workflow_id));
    const { workflow } = await call(callers.person, "import_workflow", { document });
    return (workflow as JsonObject).workflow_id;
  },
  duplicate_workflow: async (caller) => {
    const { workflow_id } = await create(caller, silent());
    return (await call(callers.person, "duplicate_workflow", { workflow_id })).workflow_id;
  },
};

test.each(Object.keys(PATHS).flatMap((path) => (["agent", "person"] as const).map((who) => [path, who] as const)))(
  "an output property without required may be null after %s by an %s",
  async (path, who) => {
    const workflow_id = await PATHS[path]?.(callers[who]);
    const { definition } = await call(callers.person, "get_workflow", { workflow_id });
    const node = (definition as Definition).nodes.find(({ id }) => id === "answer");
    expect(node?.data.properties).toEqual([PROPERTY]);
    const slug = `note-${String(workflow_id).slice(-12)}`;
    await call(callers.person, "deploy_workflow", { workflow_id, slug });
    const { outputSchema } = await call(callers.agent, "get_action", { slug });
    expect(outputSchema).toEqual({ type: "object", properties: { text: { type: "string" } } });
  },
);
