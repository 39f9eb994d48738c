import type { GraphNode } from "#lib/contract/graph";
import { upstreamIds } from "#lib/core/graph/edges";
import { nodeLabel } from "#lib/core/steps/node-data";
import { isJsonObject } from "#lib/support/json";
import type { Analysis } from "@/components/canvas/document/analysis";
import { framesOf, loopsAround } from "@/components/canvas/document/frames";

/** A value a later step can use. */
export interface DataField {
  /** As shown in a list: `order_id`. */
  label: string;
  /** The whole expression with its braces: `{{action_input.order_id}}`. */
  expression: string;
  type: string;
  description: string;
  /** What it last held, as JSON, shortened; absent while nothing is known. */
  sample?: string;
}

/** A step and what it hands on. */
export interface DataSource {
  nodeId: string;
  /** How expressions name it. */
  name: string;
  label: string;
  step: number;
  fields: DataField[];
}

/** What a dot reaches; other names stand in brackets and quotes (decisions, The graph document). */
const PLAIN_FIELD = /^[\p{L}\p{N}\p{M}_$-]{1,200}$/u;

/** Everything that has run before a node, in reading order, with the fields we know of. */
export function earlierData(analysis: Analysis, nodeId: string): DataSource[] {
  const ids = upstreamIds(analysis.index, nodeId);
  ids.delete(nodeId);
  return sourcesOf(analysis, ids, new Set(loopsAround(analysis.index.definition, nodeId)));
}

/** What the end of a loop's iteration can use: the loop's item and index and what its body gave come to the earlier data. */
export function iterationData(analysis: Analysis, loopId: string): DataSource[] {
  const { definition } = analysis.index;
  const body = (framesOf(definition).bodyOf.get(loopId) ?? []).map((node) => node.id);
  const ids = new Set([...upstreamIds(analysis.index, loopId), loopId, ...body]);
  return sourcesOf(analysis, ids, new Set([loopId, ...loopsAround(definition, loopId)]));
}

function sourcesOf(analysis: Analysis, ids: ReadonlySet<string>, around: ReadonlySet<string>): DataSource[] {
  return [...analysis.index.nodes.values()]
    .filter((node) => ids.has(node.id) && node.type !== "return_output")
    .map((node) => (around.has(node.id) ? describe(analysis, node, ITERATION_FIELDS) : dataOf(analysis, node)))
    .sort((a, b) => a.step - b.step);
}

/** What one node hands on to the steps after it. */
export function dataOf(analysis: Analysis, node: GraphNode): DataSource {
  return describe(analysis, node, fieldsOf(node));
}

function describe(analysis: Analysis, node: GraphNode, fields: readonly Field[]): DataSource {
  const name = node === analysis.index.entry ? node.type : node.id;
  return {
    nodeId: node.id,
    name,
    label: nodeLabel(node),
    step: analysis.steps.get(node.id) ?? 0,
    fields: fields.map(({ path, ...field }) => ({
      ...field,
      expression: expressionFor(name, ...(path ?? [field.label])),
    })),
  };
}

export function expressionFor(name: string, ...path: readonly (string | number)[]): string {
  return `{{${name}${path.map(pathSegment).join("")}}}`;
}

function pathSegment(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  return PLAIN_FIELD.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

interface Field extends Omit<DataField, "expression"> {
  /** Where it lies; the label when left out. */
  path?: readonly string[];
}

/** Of steps whose fields nobody can know beforehand. */
const WHOLE: readonly Field[] = [
  { label: "everything", type: "any", description: "All that the step gives; add .field to take a part", path: [] },
];

/** decisions, The graph document: what a loop gives inside. */
const ITERATION_FIELDS: readonly Field[] = [
  { label: "item", type: "any", description: "The item of this iteration" },
  { label: "index", type: "integer", description: "Which iteration this is, from 0" },
];

function fieldsOf(node: GraphNode): readonly Field[] {
  switch (node.type) {
    case "action_input":
    case "return_output":
      return namedFields(node.data.properties);
    case "transform":
      return node.data.jsonata === undefined ? namedFields(node.data.fields) : WHOLE;
    case "trigger":
      return eventFields(node.data.kind);
    case "switch":
      return [{ label: "case", type: "string", description: "The id of the case that was taken, or default" }];
    case "loop":
      return [
        { label: "results", type: "array", description: "What each iteration gave, in the order of the items" },
        { label: "count", type: "integer", description: "How many iterations there were" },
      ];
    case "delay":
      return [{ label: "until", type: "string", description: "When the wait was over" }];
    case "approval":
      return [
        { label: "approved", type: "boolean", description: "Whether it was approved" },
        { label: "comment", type: "string", description: "What the person wrote" },
        { label: "decided_by", type: "object", description: "Who decided: type, id and name" },
      ];
    case "sub_workflow":
    case "code":
      return WHOLE;
    case "condition":
      return [{ label: "result", type: "boolean", description: "Whether the rules held" }];
    case "connector":
      // What other services answer is known from runs alone.
      if (node.data.connector !== "http") return WHOLE;
      return [
        { label: "status", type: "integer", description: "HTTP status, 200 for example" },
        { label: "headers", type: "object", description: "Headers of the answer, in lower case" },
        { label: "body", type: "any", description: "The answer, parsed where it is JSON" },
      ];
    case "llm":
      return [
        { label: "text", type: "string", description: "What the model wrote" },
        ...(isJsonObject(node.data.output_schema)
          ? [{ label: "object", type: "object", description: "The same, as the object that was asked for" }]
          : []),
        { label: "usage", type: "object", description: "Tokens: input_tokens, output_tokens, total_tokens" },
      ];
  }
}

const EVENT_FIELDS: Record<string, readonly [name: string, type: string, description: string][]> = {
  webhook: [
    ["body", "any", "What was sent, as JSON"],
    ["timestamp", "string", "When it was received"],
  ],
  schedule: [
    ["timestamp", "string", "The moment it was due"],
    ["scheduleType", "string", "interval or cron"],
    ["expression", "string", "The cron expression, or every <N>s"],
  ],
  connector: [
    ["data", "object", "What happened, as the service tells it"],
    ["event", "string", "Which event it was"],
    ["id", "string", "The same for the same happening"],
    ["occurred_at", "string", "When it happened, where the service says"],
    ["received_at", "string", "When it came here"],
    ["connector", "string", "The service"],
    ["connection_id", "string", "The connection it came by"],
  ],
};

/** What an event brings (contract, Triggers), all of it below `output`. */
function eventFields(kind: unknown): Field[] {
  const known = typeof kind === "string" && Object.hasOwn(EVENT_FIELDS, kind) ? EVENT_FIELDS[kind] : undefined;
  if (known === undefined) return [{ label: "output", type: "object", description: "What came with the event" }];
  return known.map(([name, type, description]) => ({
    label: `output.${name}`,
    path: ["output", name],
    type,
    description,
  }));
}

function namedFields(items: unknown): Field[] {
  if (!Array.isArray(items)) return [];
  return items.filter(isJsonObject).flatMap((item) => {
    const { name, type, description } = item;
    if (typeof name !== "string" || name === "") return [];
    return [
      {
        label: name,
        type: typeof type === "string" ? type : "any",
        description: typeof description === "string" ? description : "",
      },
    ];
  });
}
