import type { GraphEdge, GraphNode, NodeType } from "#lib/contract/graph";
import { isJsonObject } from "#lib/support/json";
import { newTriggerData } from "@/components/canvas/document/trigger-data";

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
  baseId: string;
  hasInput: boolean;
  outputs: readonly NodeOutput[];
  /** False for the workflow's own beginning and end. */
  fitsInLoop: boolean;
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
    baseId: "action_input",
    hasInput: false,
    fitsInLoop: false,
    outputs: ONE_WAY,
    max: 1,
    createData: () => ({ properties: [] }),
  },
  trigger: {
    type: "trigger",
    label: "Trigger",
    description: "Start by itself, on a webhook, a schedule or an event",
    keywords: "start entry webhook schedule cron event interval timer http",
    baseId: "trigger",
    hasInput: false,
    fitsInLoop: false,
    outputs: ONE_WAY,
    max: 1,
    createData: () => newTriggerData("webhook"),
  },
  condition: {
    type: "condition",
    label: "Condition",
    description: "Go one way if the rules hold, the other way if not",
    keywords: "if else branch filter decide compare",
    baseId: "condition",
    hasInput: true,
    fitsInLoop: true,
    outputs: [
      { handle: "true", label: "Yes" },
      { handle: "false", label: "Otherwise" },
    ],
    createData: () => ({ match: "all", rules: [{ left: "", operator: "equals", right: "" }] }),
  },
  switch: {
    type: "switch",
    label: "Switch",
    description: "Go one of several ways: the first case that holds",
    keywords: "case branch route several if else",
    baseId: "switch",
    hasInput: true,
    fitsInLoop: true,
    outputs: [{ handle: "default", label: "Otherwise" }],
    createData: () => ({
      cases: [{ id: "case_1", name: "Case 1", match: "all", rules: [{ left: "", operator: "equals", right: "" }] }],
    }),
  },
  loop: {
    type: "loop",
    label: "Loop",
    description: "Repeat steps for each item of a list",
    keywords: "for each repeat iterate list items map",
    baseId: "loop",
    hasInput: true,
    fitsInLoop: true,
    outputs: ONE_WAY,
    createData: () => ({ items: "", concurrency: 1 }),
  },
  delay: {
    type: "delay",
    label: "Delay",
    description: "Wait some seconds before going on",
    keywords: "wait sleep pause time seconds",
    baseId: "delay",
    hasInput: true,
    fitsInLoop: true,
    outputs: ONE_WAY,
    createData: () => ({ seconds: 10 }),
  },
  approval: {
    type: "approval",
    label: "Approval",
    description: "Wait until a person approves or rejects",
    keywords: "gate human review confirm reject hold",
    baseId: "approval",
    hasInput: true,
    fitsInLoop: true,
    outputs: [
      { handle: "approved", label: "Approved" },
      { handle: "rejected", label: "Rejected" },
    ],
    createData: () => ({ message: "" }),
  },
  sub_workflow: {
    type: "sub_workflow",
    label: "Run an action",
    description: "Run another action and use what it returns",
    keywords: "sub workflow call child nested reuse",
    baseId: "run_action",
    hasInput: true,
    fitsInLoop: true,
    outputs: ONE_WAY,
    createData: () => ({ action_slug: "", input: {} }),
  },
  code: {
    type: "code",
    label: "Code",
    description: "Compute something in TypeScript, in a sandbox",
    keywords: "javascript typescript script function program",
    baseId: "code",
    hasInput: true,
    fitsInLoop: true,
    outputs: ONE_WAY,
    createData: () => ({ source: "export default async (input) => {\n  return { result: input };\n};\n", input: {} }),
  },
  transform: {
    type: "transform",
    label: "Transform",
    description: "Build an object from values of earlier steps",
    keywords: "set map fields rename shape edit data",
    baseId: "transform",
    hasInput: true,
    fitsInLoop: true,
    outputs: ONE_WAY,
    createData: () => ({ fields: [{ name: "", value: "" }] }),
  },
  connector: {
    type: "connector",
    label: "HTTP request",
    description: "Call any HTTP API, or a connected service",
    keywords: "fetch api rest webhook get post connector url service telegram hubspot crm message",
    baseId: "http_request",
    hasInput: true,
    fitsInLoop: true,
    outputs: ONE_WAY,
    createData: () => ({ connector: "http", operation: "request", params: { method: "GET", url: "" } }),
  },
  llm: {
    type: "llm",
    label: "LLM",
    description: "Ask a language model for a text or an object",
    keywords: "ai model prompt generate classify extract openai anthropic claude gpt chat",
    baseId: "llm",
    hasInput: true,
    fitsInLoop: true,
    outputs: ONE_WAY,
    createData: () => ({ connection_id: "", model: "", prompt: "" }),
  },
  return_output: {
    type: "return_output",
    label: "Return Output",
    description: "What the caller gets back when the run succeeds",
    keywords: "end result response answer finish",
    baseId: "return_output",
    hasInput: true,
    fitsInLoop: false,
    outputs: [],
    createData: () => ({ properties: [] }),
  },
};

/** A switch has a way out for each case, in their order; every other node has those of its type. */
export function ownOutputs(node: GraphNode): readonly NodeOutput[] {
  const { outputs } = NODE_KINDS[node.type];
  if (node.type !== "switch" || !Array.isArray(node.data.cases)) return outputs;
  const cases = node.data.cases.filter(isJsonObject).flatMap(({ id, name }) => {
    if (typeof id !== "string" || id === "") return [];
    return [{ handle: id, label: typeof name === "string" && name !== "" ? name : id }];
  });
  return [...cases, ...outputs];
}

/**
 * The ways out of a node: its type's, and any other that an edge of a draft from elsewhere leaves by (every node also
 * has the nameless one). So no edge stays invisible. `edges` may be all of them, or those that leave the node.
 */
export function outputsOf(node: GraphNode, edges: readonly GraphEdge[]): readonly NodeOutput[] {
  const outputs = ownOutputs(node);
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
