import type { Definition } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import { nodeWarning } from "#lib/core/graph/checks/problem";
import { ADDRESS_FIELD } from "#lib/core/graph/edges";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/** Warns about steps that wait for a request to an address that no step passes on. */
export function warnAddresses(definition: Definition): GraphProblem[] {
  const waiting = definition.nodes.filter((node) => STEP_KINDS[node.type].hasAddress);
  if (waiting.length === 0 || definition.nodes.some((node) => JSON.stringify(node.data).includes(ADDRESS_FIELD)))
    return [];
  return waiting.map((node) =>
    nodeWarning(
      node,
      "UNREAD_ADDRESS",
      `no step reads {{${node.id}.${ADDRESS_FIELD}}}, so the other system cannot learn which address to call`,
    ),
  );
}
