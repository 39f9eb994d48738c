import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, GraphEdge, GraphNode, NodeType } from "#lib/contract/workflow/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/** Creates a node for tests, and completes `data` to the minimum that its type needs. */
export function completeNode(id: string, type: NodeType, data: JsonObject = {}): GraphNode {
  return { id, type, position: { x: 0, y: 0 }, data: { ...STEP_KINDS[type].least, ...data } };
}

/** Creates the edges of paths such as `a > b.true > c`: an edge leaves `b` on its branch `true`. */
export function pathEdges(...paths: string[]): GraphEdge[] {
  return paths.flatMap((path) => {
    const arrow = path.includes(" > ") ? " > " : ">";
    const [first = "", ...targets] = path.split(arrow);
    return targets.map((end, index) => {
      const from = targets[index - 1] ?? first;
      const [[source = "", sourceHandle], [target = ""]] = [from.split("."), end.split(".")];
      return {
        id: `${from}${arrow}${target}`,
        source,
        target,
        ...(sourceHandle === undefined ? {} : { sourceHandle }),
      };
    });
  });
}

export function definition(nodes: GraphNode[], paths: string[]): Definition {
  return { nodes, edges: pathEdges(...paths) };
}
