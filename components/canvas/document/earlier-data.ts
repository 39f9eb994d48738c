import type { GraphNode } from "#lib/contract/graph";
import { upstreamIds } from "#lib/core/graph/edges";
import type { OutputField } from "#lib/core/steps/define-step-kind";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import type { Analysis } from "@/components/canvas/document/analysis";
import { isEnd } from "@/components/canvas/document/branches-of";
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

/** What a dot reaches; other names are put in brackets and quotes (decisions, The graph document). */
const PLAIN_FIELD = /^[\p{L}\p{N}\p{M}_$-]{1,200}$/u;

/** Everything that has run before a node, in reading order, with the fields we know of. */
export function earlierData(analysis: Analysis, nodeId: string): DataSource[] {
  const ids = upstreamIds(analysis.index, nodeId);
  ids.delete(nodeId);
  return sourcesOf(analysis, ids, new Set(loopsAround(analysis.index.definition, nodeId)));
}

/** What a step that goes through a list can use for each item: the earlier data, its item, and what its body gave. */
export function itemData(analysis: Analysis, nodeId: string): DataSource[] {
  const { definition } = analysis.index;
  const body = (framesOf(definition).bodyOf.get(nodeId) ?? []).map((node) => node.id);
  const ids = new Set([...upstreamIds(analysis.index, nodeId), nodeId, ...body]);
  return sourcesOf(analysis, ids, new Set([nodeId, ...loopsAround(definition, nodeId)]));
}

function sourcesOf(analysis: Analysis, ids: ReadonlySet<string>, around: ReadonlySet<string>): DataSource[] {
  return [...analysis.index.nodes.values()]
    .filter((node) => ids.has(node.id) && !isEnd(node))
    .map((node) => (around.has(node.id) ? itemOf(analysis, node) : dataOf(analysis, node)))
    .sort((a, b) => a.step - b.step);
}

/** What one node hands on to the steps after it. */
export function dataOf(analysis: Analysis, node: GraphNode): DataSource {
  return describe(analysis, node, shownFields(node));
}

function itemOf(analysis: Analysis, node: GraphNode): DataSource {
  return describe(analysis, node, STEP_KINDS[node.type].itemFields);
}

function describe(analysis: Analysis, node: GraphNode, fields: readonly OutputField[]): DataSource {
  const name = node === analysis.index.entry ? node.type : node.id;
  return {
    nodeId: node.id,
    name,
    label: nodeLabel(node),
    step: analysis.steps.get(node.id) ?? 0,
    fields: fields.map(({ path, type, description }) => ({
      label: path.length === 0 ? "everything" : path.join("."),
      expression: expressionFor(name, ...path),
      type: type ?? "any",
      description,
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

/** For steps whose fields only a run knows. */
const EVERYTHING: OutputField = {
  path: [],
  type: null,
  description: "All that the step gives; add .field to take a part",
};

/** What a list shows of a node: the fields that no other field of the list holds. */
function shownFields(node: GraphNode): readonly OutputField[] {
  const fields = STEP_KINDS[node.type].outputFields(node.data) ?? [EVERYTHING];
  return fields.filter(({ path }) => !fields.some((other) => isInside(path, other.path)));
}

function isInside(path: readonly string[], outer: readonly string[]): boolean {
  return path.length > outer.length && outer.every((key, at) => key === path[at]);
}
