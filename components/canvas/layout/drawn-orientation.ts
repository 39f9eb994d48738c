import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Definition } from "#lib/contract/workflow/graph";
import { nodeSize } from "@/components/canvas/layout/node-size";

/**
 * Returns the direction in which most edges of a drawing lead. A version keeps the positions of its steps and not their
 * direction, so they must show it. An edge that leads both down and to the right does not count.
 */
export function drawnOrientation(definition: Definition): Orientation {
  const known = new Map(definition.nodes.map((node) => [node.id, node]));
  let votes = 0;
  for (const edge of definition.edges) {
    const [source, target] = [known.get(edge.source), known.get(edge.target)];
    // Positions in different frames can't be compared.
    if (source === undefined || target === undefined || source.parentId !== target.parentId) continue;
    const { width, height } = nodeSize(definition, source, {});
    const isRight = target.position.x >= source.position.x + width;
    const isBelow = target.position.y >= source.position.y + height;
    votes += Number(isRight && !isBelow) - Number(isBelow && !isRight);
  }
  return votes > 0 ? "horizontal" : "vertical";
}
