import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import type { MissingPart, WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { checkMasks } from "#lib/core/graph/checks/typed-secrets";
import type { WorkflowDocument } from "#lib/core/graph/imported-document";
import { nodeLabel } from "#lib/core/steps/node-data";
import { subWorkflowKind } from "#lib/core/steps/sub-workflow/sub-workflow-kind";
import { MISSING_SECRET } from "#lib/core/steps/trigger/trigger-data";
import { createWorkflow, type Editor } from "#lib/domain/workflows/create-workflow";
import { connectionIdsOf } from "#lib/domain/workflows/workflow-document";
import { prisma } from "#lib/platform/db/prisma";

export interface ImportedWorkflow {
  workflow: WorkflowDetailObject;
  /** What the document needs and this workspace does not have; the draft's `problems` show where to fix it. */
  missing: MissingPart[];
}

/**
 * Creates a workflow from a document. Connections are found by connector and name. If one does not exist, its steps are
 * left without a connection, so that no other connection is used by chance.
 */
export async function importWorkflow(editor: Editor, document: WorkflowDocument): Promise<ImportedWorkflow> {
  const { name, description, definition, notes, orientation } = document;
  const found = await matchConnections(editor.workspaceId, document);
  const nodes = definition.nodes.map((node) => withMaskedSecret(withConnection(node, found), document.secrets ?? []));
  const workflow = await createWorkflow(editor, {
    name,
    description: description || null,
    definition: { ...definition, nodes },
    notes,
    orientation,
  });
  const missing = [
    ...missingConnections(document, found),
    ...maskedSecrets({ ...definition, nodes }),
    ...(await missingActions(editor.workspaceId, definition)),
  ];
  return { workflow, missing };
}

/** Maps ids of the document to ids of this workspace. */
async function matchConnections(workspaceId: string, document: WorkflowDocument): Promise<Map<string, string>> {
  const ids = connectionIdsOf(document.definition.nodes);
  if (ids.length === 0) return new Map();
  const rows = await prisma().connection.findMany({
    where: { workspaceId },
    select: { id: true, connector: true, name: true },
  });
  const described = new Map((document.connections ?? []).map((connection) => [connection.id, connection]));
  return new Map(
    ids.flatMap((id) => {
      const wanted = described.get(id);
      const match =
        rows.find((row) => row.id === id) ??
        rows.find((row) => row.connector === wanted?.connector && row.name === wanted.name);
      return match ? [[id, match.id] as const] : [];
    }),
  );
}

function withConnection(node: GraphNode, found: ReadonlyMap<string, string>): GraphNode {
  const { connection_id: id, ...data } = node.data;
  if (typeof id !== "string" || id === "") return node;
  const match = found.get(id);
  return { ...node, data: match === undefined ? data : { ...data, connection_id: match } };
}

function missingConnections({ definition, connections = [] }: WorkflowDocument, found: ReadonlyMap<string, string>) {
  return definition.nodes.flatMap((node): MissingPart[] => {
    const id = node.data.connection_id;
    if (typeof id !== "string" || id === "" || found.has(id)) return [];
    const wanted = connections.find((connection) => connection.id === id);
    const what = wanted ? `the connection "${wanted.name}" (${wanted.connector})` : "a connection";
    return [
      { node_id: node.id, kind: "connection", message: `${nodeLabel(node)} needs ${what}, which does not exist here` },
    ];
  });
}

/** Exports leave the secrets of webhooks out. A mask in their place prevents publishing without one. */
function withMaskedSecret(node: GraphNode, secrets: readonly string[]): GraphNode {
  if (!secrets.includes(node.id) || node.data.secret) return node;
  return { ...node, data: { ...node.data, secret: MISSING_SECRET } };
}

/** An import keeps the masks: the publish checks name them until someone fills them in. */
function maskedSecrets(definition: Definition): MissingPart[] {
  return checkMasks(definition).flatMap(({ node_id: id, message }): MissingPart[] =>
    id === undefined ? [] : [{ node_id: id, kind: "secret", message }],
  );
}

async function missingActions(workspaceId: string, { nodes }: Definition): Promise<MissingPart[]> {
  const calls = nodes.flatMap((node) => {
    const slug = node.data.action_slug;
    return node.type === subWorkflowKind.type && typeof slug === "string" && slug !== "" ? [{ node, slug }] : [];
  });
  if (calls.length === 0) return [];
  const rows = await prisma().action.findMany({
    where: { workspaceId, slug: { in: calls.map(({ slug }) => slug) } },
    select: { slug: true },
  });
  const known = new Set(rows.map(({ slug }) => slug));
  return calls
    .filter(({ slug }) => !known.has(slug))
    .map(({ node, slug }) => ({
      node_id: node.id,
      kind: "action",
      message: `${nodeLabel(node)} calls the action "${slug}", which does not exist here`,
    }));
}
