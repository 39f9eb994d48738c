import type { GraphNode, NodeType } from "#lib/contract/graph";

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

/** The name a person reads: their own, or the type's. */
export function nodeName(node: GraphNode): string {
  const name = node.data.name;
  return typeof name === "string" && name.trim() !== "" ? name : NODE_KINDS[node.type].label;
}

/** The label on the line that leaves `node` by `handle`. */
export function outputLabel(node: GraphNode, handle: string | null | undefined): string {
  return NODE_KINDS[node.type].outputs.find((output) => output.handle === (handle ?? null))?.label ?? "";
}
