import type { Definition } from "#lib/contract/workflow/graph";
import { nodeLabel } from "#lib/core/steps/node-data";
import { branchesOf } from "@/components/canvas/document/branches-of";
import { continueFlow } from "@/components/canvas/document/continue-flow";
import type { InsertSpot } from "@/components/canvas/document/insert-spot";

/** Names the place of a new step, with the branch that will lead to it: "Add after Condition, branch False". */
export function describeSpot(definition: Definition, at: InsertSpot): string {
  const spot = at.kind === "flow" ? continueFlow(definition) : at;
  const nameOf = (id: string) => {
    const node = definition.nodes.find((candidate) => candidate.id === id);
    return node === undefined ? id : nodeLabel(node);
  };
  if (spot === null || spot.kind === "free" || spot.kind === "flow") return "Add a step";
  if (spot.kind === "inside") return `Add inside ${nameOf(spot.loopId)}`;
  if (spot.kind === "after")
    return `Add after ${nameOf(spot.source)}${branchWords(definition, spot.source, spot.sourceHandle)}`;
  const edge = definition.edges.find(({ id }) => id === spot.edgeId);
  if (edge === undefined) return "Add a step";
  const branch = branchWords(definition, edge.source, edge.sourceHandle ?? null);
  return `Add after ${nameOf(edge.source)}${branch}, before ${nameOf(edge.target)}`;
}

/** Empty for a step with a single branch, and for the usual one of a step that is followed when it completes. */
function branchWords(definition: Definition, source: string, handle: string | null): string {
  const node = definition.nodes.find(({ id }) => id === source);
  const label =
    node === undefined ? "" : branchesOf(node, definition.edges).find((branch) => branch.handle === handle)?.label;
  return label ? `, branch ${label}` : "";
}
