import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, GraphNode, NodeType } from "#lib/contract/workflow/graph";
import { placeNodes } from "#lib/core/graph/edits/place-nodes";

/** Creates a step without a position; `draw` places it. `loop` is the id of the loop that contains it. */
export function step(id: string, type: NodeType, data: JsonObject, loop?: string): GraphNode {
  return { id, type, position: { x: 0, y: 0 }, data, ...(loop === undefined ? {} : { parentId: loop }) };
}

/** Creates a step that calls an operation of a connector, written as `connector.operation`. */
export function call(id: string, name: string, target: string, params: JsonObject, loop?: string): GraphNode {
  const [connector = "", operation = ""] = target.split(".");
  return step(id, "connector", { name, connector, operation, params }, loop);
}

/** Creates a definition from steps and edges, each written as `source>target` or `source.handle>target`. */
export function draw(nodes: GraphNode[], ...lines: string[]): Definition {
  const edges = lines.map((line) => {
    const [from = "", target = ""] = line.split(">");
    const [source = "", sourceHandle] = from.split(".");
    return { id: line, source, target, ...(sourceHandle === undefined ? {} : { sourceHandle }) };
  });
  return placeNodes({ nodes, edges });
}
