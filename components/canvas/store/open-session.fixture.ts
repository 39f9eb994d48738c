import type { GraphNode } from "#lib/contract/workflow/graph";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { loadChecks } from "@/components/canvas/document/analysis";
import { testEdge } from "@/components/canvas/document/test-definition";
import { type DraftSession, openDraft } from "@/components/canvas/store/open-draft";

await loadChecks();

/** Opens a draft of consecutive steps, as a newly loaded page does. */
export function openSession(nodes: GraphNode[]): DraftSession {
  const workflow = {
    workflow_id: "w1",
    name: "Refunds",
    draft_revision: 1,
    updated_at: "2026-01-01T00:00:00.000Z",
    definition: { nodes, edges: nodes.slice(1).map((node, at) => testEdge(nodes[at]?.id ?? "", node.id)) },
    notes: [],
    problems: [],
    trigger: null,
    action: null,
  } as Partial<WorkflowDetailObject> as WorkflowDetailObject;
  return openDraft(workflow, { isReadOnly: false, copy: null });
}
