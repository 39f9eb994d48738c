import type { Definition } from "#lib/contract/workflow/graph";
import type { WorkflowType } from "#lib/contract/workflow/workflow";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/**
 * Derives the type of a workflow from its definition (contract, Workflows and versions): the placeholders of a call
 * make it `callable`, a trigger makes it `event_driven`. A draft with neither or both cannot be published and counts as
 * callable.
 */
export function deriveType(definition: Definition): WorkflowType {
  const starts = new Set(definition.nodes.map((node) => STEP_KINDS[node.type].starts));
  return starts.has("event_driven") && !starts.has("callable") ? "event_driven" : "callable";
}
