import { type CallTool, callOrThrow } from "#bench/mistakes/mcp-caller";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import { CONNECTION_ID } from "#lib/domain/workflows/checks/mistakes.fixture";

/** The action that the seeded definitions call. */
const INVOICE = definition(
  [
    completeNode("start", "action_input", {
      properties: [
        { name: "email", type: "string", required: true },
        { name: "total", type: "number", required: false },
      ],
    }),
    completeNode("end", "return_output", {
      properties: [{ name: "invoice_id", type: "string", value: "{{action_input.email}}" }],
    }),
  ],
  ["start > end"],
);

interface Database {
  query(sql: string, values: unknown[]): Promise<unknown>;
}

/** Adds the resources that the seeded definitions refer to: an action, and a connection that no step calls. */
export async function prepareWorkspace(db: Database, workspaceId: string, call: CallTool): Promise<void> {
  await db.query(
    `insert into connections (id, workspace_id, connector, name, credentials_sealed, updated_at)
     values ($1, $2, 'telegram', 'Bot', '\\x00', now())`,
    [CONNECTION_ID, workspaceId],
  );
  const { workflow_id: id } = await callOrThrow(call, "create_workflow", { name: "Invoice", definition: INVOICE });
  await callOrThrow(call, "deploy_workflow", { workflow_id: id, slug: "send-invoice" });
}
