import type { Definition } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { createGraphMemory } from "#lib/core/graph/checks/graph-memory";
import { warnSecrets } from "#lib/core/graph/checks/typed-secrets";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";

const memory = createGraphMemory();

/** Lists the errors and warnings of a definition. Checks again only what changed since the last call. */
export function checkDefinition(definition: Definition): GraphProblem[] {
  return [...validateGraph(definition, memory), ...warnSecrets(definition)];
}
