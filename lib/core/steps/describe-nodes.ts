import { z } from "zod";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, NodeType } from "#lib/contract/workflow/graph";
import type { WorkflowType } from "#lib/contract/workflow/workflow";
import { work } from "#lib/core/engine/work-settings";
import { hasFailedBranch, type StepKind } from "#lib/core/steps/define-step-kind";
import { printSchema } from "#lib/core/steps/print-schema";
import { STEP_DATA } from "#lib/core/steps/step-data";
import { STEP_KINDS, STEP_TYPES } from "#lib/core/steps/step-kinds";
import { stepSettings } from "#lib/core/steps/step-settings";
import { isJsonObject } from "#lib/support/json";

/** A node type as the catalog shows it to agents and to people who write definitions. */
export interface NodeDescription {
  type: NodeType;
  title: string;
  description: string;
  /** The type of workflow that starts with it; null for a step in the middle. */
  starts: WorkflowType | null;
  /** The handles of the example. Every node also has the unnamed one. */
  handles: readonly string[];
  /** True if the node also has the handle `failed`, which is taken when the step has failed. */
  has_failed_handle: boolean;
  output: string;
  /** Where data can contain templates: dotted paths, `*` for every item. */
  templates: readonly string[];
  /** JSON Schema of data. */
  data_schema: JsonObject;
  example: { id: string; type: NodeType; data: JsonObject };
}

/** Describes one type of node, with everything the rules know about it. */
export function describeNode(type: NodeType): NodeDescription {
  const kind: StepKind = STEP_KINDS[type];
  const { title, description, guidance, output, example, starts, templates, bodyTemplates } = kind;
  return {
    type,
    title,
    description: guidance === "" ? `${description}.` : `${description}. ${guidance}`,
    starts,
    handles: kind.branches(example).flatMap(({ handle }) => (handle === null ? [] : [handle])),
    has_failed_handle: hasFailedBranch(kind, example),
    output,
    templates: [...templates, ...bodyTemplates],
    data_schema: dataSchema(type),
    example: { id: starts === null ? `${type}_1` : type, type, data: example },
  };
}

export function describeNodes(): NodeDescription[] {
  return STEP_TYPES.map(describeNode);
}

function dataSchema(type: NodeType): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(STEP_DATA[type], { io: "input", unrepresentable: "any" });
  return schema;
}

/** The data fields that many types share. They are described once instead of with each type. */
const SHARED_FIELDS = Object.keys({ ...stepSettings, ...work });

/** Summarizes each type in one line with its data, handles and output, short enough for a model's context. */
export function summarizeNodes(): string {
  return describeNodes().map(summarizeNode).join("\n");
}

function summarizeNode({ type, description, handles, output, data_schema: schema }: NodeDescription): string {
  const ways = handles.length > 0 ? ` Handles: ${handles.join(", ")}.` : "";
  return `- ${type} ${printSchema(withoutShared(schema))}: ${description}${ways} Output: ${output}.`;
}

/** Lists the types whose data accepts `continueOnFailure` and the settings of retries. */
export function listWorkTypes(): NodeType[] {
  return STEP_TYPES.filter((type) => STEP_KINDS[type].canContinue);
}

/** Lists the types that do not have the handle `failed`. */
export function listTypesWithoutFailedHandle(): NodeType[] {
  return STEP_TYPES.filter((type) => !STEP_KINDS[type].canFail);
}

function withoutShared(schema: JsonObject): JsonObject {
  const { properties, allOf } = schema;
  if (Array.isArray(allOf)) return { ...schema, allOf: allOf.filter(isJsonObject).map(withoutShared) };
  if (!isJsonObject(properties)) return schema;
  const own = Object.entries(properties).filter(([name]) => !SHARED_FIELDS.includes(name));
  return { ...schema, properties: Object.fromEntries(own) };
}

/** A complete workflow that can be published unchanged: input, a condition, a step on each branch, output. */
export const EXAMPLE_DEFINITION: Definition = {
  nodes: [
    {
      id: "start",
      type: "action_input",
      position: { x: 0, y: 0 },
      data: { properties: [{ name: "amount", type: "number", required: true }] },
    },
    {
      id: "is_large",
      type: "condition",
      position: { x: 0, y: 140 },
      data: { match: "all", rules: [{ left: "{{action_input.amount}}", operator: "greater_than", right: 100 }] },
    },
    {
      id: "price",
      type: "code",
      position: { x: 0, y: 280 },
      data: { source: "return { total: input.amount * 0.9 };", input: { amount: "{{action_input.amount}}" } },
    },
    {
      id: "reduced",
      type: "return_output",
      position: { x: 0, y: 420 },
      data: { properties: [{ name: "total", type: "number", required: true, value: "{{price.total}}" }] },
    },
    {
      id: "full",
      type: "return_output",
      position: { x: 300, y: 420 },
      data: { properties: [{ name: "total", type: "number", required: true, value: "{{action_input.amount}}" }] },
    },
  ],
  edges: [
    { id: "1", source: "start", target: "is_large" },
    { id: "2", source: "is_large", sourceHandle: "true", target: "price" },
    { id: "3", source: "price", target: "reduced" },
    { id: "4", source: "is_large", sourceHandle: "false", target: "full" },
  ],
};
