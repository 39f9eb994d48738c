import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { writeExpression } from "#lib/core/expressions/write-expression";
import type { StepKind } from "#lib/core/steps/define-step-kind";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { editNodeData } from "@/components/canvas/document/edit-data";
import { framesOf } from "@/components/canvas/document/frames";

/**
 * Returns the definition with the output of a new step as the result of each iteration, if the step ends the body of its
 * loop and the user has set no other result. Without a result, the steps after the loop get a list of nulls.
 */
export function followResult(definition: Definition, added: GraphNode): Definition {
  const loop = definition.nodes.find(({ id }) => id === added.parentId);
  if (loop === undefined || !isForOutput(STEP_KINDS[added.type])) return definition;
  const isLast = definition.edges.every(({ source }) => source !== added.id);
  const body = framesOf(definition).bodyOf.get(loop.id) ?? [];
  const before = definition.edges.find(({ target, sourceHandle }) => target === added.id && sourceHandle == null);
  const former = body.length === 1 ? undefined : before && writeExpression(before.source, []);
  const isOwn = body.length === 1 || former !== undefined;
  if (!isLast || !isOwn || loop.data.result !== former) return definition;
  return editNodeData(definition, loop.id, ["result"], writeExpression(added.id, []));
}

/** Steps that choose a branch or wait are added to a loop for that, and the others for what they return. */
function isForOutput({ chosenHandle, effects }: StepKind): boolean {
  return chosenHandle === undefined && effects !== "waits";
}
