import type { GraphNode } from "#lib/contract/workflow/graph";
import type { NodeTraits, PreparedNode } from "#lib/core/engine/plan";
import { bypassHandle, isDisabled } from "#lib/core/steps/is-disabled";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/**
 * Prepares a disabled step; null for any other one. Its settings are not read, because people also disable a step that
 * is not finished.
 */
export function bypassedStep(node: GraphNode): (PreparedNode & NodeTraits) | null {
  if (!isDisabled(node)) return null;
  const { holdsBody, namelessHandle } = STEP_KINDS[node.type];
  return {
    isEntry: false,
    holdsBody,
    hasSideEffects: false,
    isResult: false,
    hasAddress: false,
    namelessHandle,
    hasFailedBranch: false,
    bypassHandle: bypassHandle(node),
    resolveInput: () => null,
    execute: () => null,
  };
}
