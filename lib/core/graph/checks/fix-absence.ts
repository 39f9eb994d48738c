import type { GraphNode } from "#lib/contract/graph";
import { fixValue } from "#lib/core/graph/checks/fix-text";
import type { GraphOperation } from "#lib/core/graph/edits/graph-operations";
import { returnOutputKind } from "#lib/core/steps/return-output/return-output-kind";
import { getPath } from "#lib/support/get-path";

const OUTPUT_VALUE = /^properties\.\d+\.value$/;

/**
 * Returns the operation that lets an output property be null, if it is required and its value may be absent: with a null
 * there, a run fails at its last step, after all its effects. Null for every other field.
 */
export function fixAbsence(node: GraphNode, field: string): GraphOperation | null {
  if (node.type !== returnOutputKind.type || !OUTPUT_VALUE.test(field)) return null;
  const required = field.replace(/value$/, "required");
  return getPath(node.data, required.split(".")) === true ? fixValue(node, required, () => false) : null;
}
