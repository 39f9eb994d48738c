import type { GraphNode } from "#lib/contract/workflow/graph";
import type { NodeHandlers, NodeTraits } from "#lib/core/engine/plan";
import { bypassedStep } from "#lib/core/steps/bypassed-step";
import type { FindOperation } from "#lib/core/steps/call-operation";
import { hasFailedBranch, type StepKind } from "#lib/core/steps/define-step-kind";
import { STEP_KINDS, STEP_TYPES } from "#lib/core/steps/step-kinds";

/** Loads the handlers of all kinds. */
export async function loadNodeHandlers(): Promise<(findOperation: FindOperation) => NodeHandlers> {
  const loaded = await Promise.all(
    STEP_TYPES.map(async (type) => ({ type, handler: await STEP_KINDS[type].handler(), traits: traitsOf(type) })),
  );
  return (findOperation) => {
    const entries = loaded.map(({ type, handler, traits }): [string, NodeHandlers[typeof type]] => [
      type,
      (node) => bypassedStep(node) ?? { ...handler(node, findOperation), ...traits(node) },
    ]);
    return Object.fromEntries(entries) as NodeHandlers;
  };
}

export function traitsOf(type: keyof NodeHandlers): (node: GraphNode) => NodeTraits {
  const kind: StepKind = STEP_KINDS[type];
  const { starts, holdsBody, effects, isResult, hasAddress, chosenHandle, namelessHandle } = kind;
  return ({ data }) => ({
    isEntry: starts !== null,
    holdsBody,
    hasSideEffects: effects !== "none",
    isResult,
    hasAddress,
    chosenHandle,
    namelessHandle,
    hasFailedBranch: hasFailedBranch(kind, data),
  });
}
