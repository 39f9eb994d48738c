import type { NodeHandlers, NodeTraits } from "#lib/core/engine/plan";
import type { FindOperation } from "#lib/core/steps/call-operation";
import type { StepKind } from "#lib/core/steps/define-step-kind";
import { STEP_KINDS, STEP_TYPES } from "#lib/core/steps/step-kinds";

/** Loads the handlers of all kinds. */
export async function loadNodeHandlers(): Promise<(findOperation: FindOperation) => NodeHandlers> {
  const loaded = await Promise.all(
    STEP_TYPES.map(async (type) => ({ type, handler: await STEP_KINDS[type].handler(), traits: traitsOf(type) })),
  );
  return (findOperation) => {
    const entries = loaded.map(({ type, handler, traits }): [string, NodeHandlers[typeof type]] => [
      type,
      (node) => ({ ...handler(node, findOperation), ...traits }),
    ]);
    return Object.fromEntries(entries) as NodeHandlers;
  };
}

export function traitsOf(type: keyof NodeHandlers): NodeTraits {
  const { starts, holdsBody, effects, isResult, chosenHandle, namelessHandle }: StepKind = STEP_KINDS[type];
  return {
    isEntry: starts !== null,
    holdsBody,
    hasSideEffects: effects !== "none",
    isResult,
    chosenHandle,
    namelessHandle,
  };
}
