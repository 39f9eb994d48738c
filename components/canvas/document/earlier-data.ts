import type { GraphNode } from "#lib/contract/workflow/graph";
import { writeExpression } from "#lib/core/expressions/write-expression";
import { ADDRESS_FIELD, upstreamIds } from "#lib/core/graph/edges";
import { canContinueAfterFailure, shapesOf } from "#lib/core/graph/node-shapes";
import { type OutputField, outputFields } from "#lib/core/graph/output-fields";
import { STEP_ERROR_SHAPE } from "#lib/core/shapes/step-error-shape";
import { nodeLabel } from "#lib/core/steps/node-data";
import type { Analysis } from "@/components/canvas/document/analysis";
import { isEnd } from "@/components/canvas/document/branches-of";
import { earlierNodes } from "@/components/canvas/document/earlier-nodes";
import { framesOf, loopsAround } from "@/components/canvas/document/frames";

/** A value that a later step can use. */
export interface DataField {
  /** The label in a list: `order_id`. */
  label: string;
  /** The whole expression, including braces: `{{action_input.order_id}}`. */
  expression: string;
  type: string;
  description: string;
  /** The last known value as shortened JSON; absent when no value is known. */
  sample?: string;
}

/** A step and the values it offers to later steps. */
export interface DataSource {
  nodeId: string;
  /** The name that expressions use for the step. */
  name: string;
  label: string;
  step: number;
  fields: DataField[];
}

/** Returns the steps that have run before a node, in reading order, with their known fields. */
export function earlierData(analysis: Analysis, nodeId: string): DataSource[] {
  const all = earlierNodes(analysis.index, nodeId);
  const earlier = all.filter(({ reads }) => reads !== "address");
  const sources = earlier.map(({ node, reads }) =>
    reads === "item" ? itemOf(analysis, node) : dataOf(analysis, node),
  );
  const addresses = all.filter(({ reads }) => reads === "address").map(({ node }) => addressOf(analysis, node));
  return [...sources.sort((a, b) => a.step - b.step), ...addresses];
}

/**
 * Returns the data that a list step can use for each item: the earlier data, its own item, and the outputs of its body.
 */
export function itemData(analysis: Analysis, nodeId: string): DataSource[] {
  const { definition } = analysis.index;
  const body = (framesOf(definition).bodyOf.get(nodeId) ?? []).map((node) => node.id);
  const ids = new Set([...upstreamIds(analysis.index, nodeId), nodeId, ...body]);
  return sourcesOf(analysis, ids, new Set([nodeId, ...loopsAround(definition, nodeId)]));
}

/** Returns the address of a step that runs later, which a step can pass on. */
function addressOf(analysis: Analysis, node: GraphNode): DataSource {
  const data = dataOf(analysis, node);
  return { ...data, fields: data.fields.filter((field) => field.label === ADDRESS_FIELD) };
}

function sourcesOf(analysis: Analysis, ids: ReadonlySet<string>, around: ReadonlySet<string>): DataSource[] {
  return [...analysis.index.nodes.values()]
    .filter((node) => ids.has(node.id) && !isEnd(node))
    .map((node) => (around.has(node.id) ? itemOf(analysis, node) : dataOf(analysis, node)))
    .sort((a, b) => a.step - b.step);
}

/** Returns the values that one node offers to the steps after it. */
export function dataOf(analysis: Analysis, node: GraphNode): DataSource {
  const fields = outputFields(shapesOf(analysis.index, analysis.catalog).ofNode(node)) ?? [EVERYTHING];
  return describe(
    analysis,
    node,
    canContinueAfterFailure(analysis.index, node) ? [...fields, ...ERROR_FIELDS] : fields,
  );
}

function itemOf(analysis: Analysis, node: GraphNode): DataSource {
  const item = shapesOf(analysis.index, analysis.catalog).ofItem(node);
  return describe(analysis, node, (item && outputFields(item)) ?? []);
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
      expression: writeExpression(name, path),
      type: type ?? "any",
      description,
    })),
  };
}

/** What a step offers after it has failed. */
const ERROR_FIELDS: readonly OutputField[] = (outputFields(STEP_ERROR_SHAPE) ?? []).map((field) => {
  return { ...field, path: ["error", ...field.path] };
});

/** For steps whose output fields are known only after a run. */
const EVERYTHING: OutputField = {
  path: [],
  type: null,
  description: "The whole output. Add .field to use one part.",
};
