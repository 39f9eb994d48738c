import type { GraphEdge, GraphNode, NodeType } from "#lib/contract/graph";

/** One way out of a node. `handle` is the edge's sourceHandle; null is "when it completed". */
export interface NodeOutput {
  handle: string | null;
  /** What stands on the line; empty where there is only one way out. */
  label: string;
}

export interface NodeKind {
  type: NodeType;
  label: string;
  /** One line in the picker. */
  description: string;
  /** Words people search for beside the label. */
  keywords: string;
  /** Token of the tile's colour, see app/globals.css. */
  color: "io" | "logic" | "data" | "conn";
  baseId: string;
  hasInput: boolean;
  outputs: readonly NodeOutput[];
  /** At most this many in one workflow. */
  max?: number;
  createData: () => Record<string, unknown>;
}

const ONE_WAY: readonly NodeOutput[] = [{ handle: null, label: "" }];

/** What the canvas knows of each node type. A new type is one entry here, one form in panel/ and one summary. */
export const NODE_KINDS: Record<NodeType, NodeKind> = {
  action_input: {
    type: "action_input",
    label: "Action Input",
    description: "What a caller sends when it runs the action",
    keywords: "start entry parameters arguments caller schema",
    color: "io",
    baseId: "action_input",
    hasInput: false,
    outputs: ONE_WAY,
    max: 1,
    createData: () => ({ properties: [] }),
  },
  condition: {
    type: "condition",
    label: "Condition",
    description: "Go one way if the rules hold, the other way if not",
    keywords: "if else branch filter decide compare",
    color: "logic",
    baseId: "condition",
    hasInput: true,
    outputs: [
      { handle: "true", label: "Yes" },
      { handle: "false", label: "Otherwise" },
    ],
    createData: () => ({ match: "all", rules: [{ left: "", operator: "equals", right: "" }] }),
  },
  transform: {
    type: "transform",
    label: "Transform",
    description: "Build an object from values of earlier steps",
    keywords: "set map fields rename shape edit data",
    color: "data",
    baseId: "transform",
    hasInput: true,
    outputs: ONE_WAY,
    createData: () => ({ fields: [{ name: "", value: "" }] }),
  },
  connector: {
    type: "connector",
    label: "HTTP request",
    description: "Call any HTTP API and use its answer",
    keywords: "fetch api rest webhook get post connector url",
    color: "conn",
    baseId: "http_request",
    hasInput: true,
    outputs: ONE_WAY,
    createData: () => ({ connector: "http", operation: "request", params: { method: "GET", url: "" } }),
  },
  return_output: {
    type: "return_output",
    label: "Return Output",
    description: "What the caller gets back when the run succeeds",
    keywords: "end result response answer finish",
    color: "io",
    baseId: "return_output",
    hasInput: true,
    outputs: [],
    createData: () => ({ properties: [] }),
  },
};

/**
 * The ways out of a node: its type's, and any other that an edge of a draft from elsewhere leaves by (every node also
 * has the nameless one). So no edge stays invisible. `edges` may be all of them, or those that leave the node.
 */
export function outputsOf(node: GraphNode, edges: readonly GraphEdge[]): readonly NodeOutput[] {
  const outputs = NODE_KINDS[node.type].outputs;
  const known = new Set(outputs.map((output) => output.handle));
  const others: NodeOutput[] = [];
  for (const edge of edges) {
    const handle = edge.sourceHandle ?? null;
    if (edge.source !== node.id || known.has(handle)) continue;
    known.add(handle);
    others.push({ handle, label: handle ?? (outputs.length > 0 ? "Always" : "") });
  }
  return others.length === 0 ? outputs : [...outputs, ...others];
}
