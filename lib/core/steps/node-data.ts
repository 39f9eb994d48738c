import { z } from "zod";
import { SLUG_PATTERN } from "#lib/contract/action";
import type { NodeType } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";
import { conditionFields, switchFields } from "#lib/core/expressions/condition-data";
import {
  inputPropertiesSchema,
  outputPropertiesSchema,
  propertyName,
  uniqueNames,
} from "#lib/core/input/property-data";
import { triggerConfig } from "#lib/core/steps/trigger-data";

/** Every node may carry a label (decisions, The graph document). */
const label = { name: z.string().max(200, "must be at most 200 characters long").optional() };
const labelled = z.object(label);

const MAX_RETRIES_MESSAGE = `must be a whole number from 0 to ${LIMITS.maxRetries}`;
/** Nodes that do work can be retried, and the run can go on without them. */
const work = {
  maxRetries: z
    .int(MAX_RETRIES_MESSAGE)
    .min(0, MAX_RETRIES_MESSAGE)
    .max(LIMITS.maxRetries, MAX_RETRIES_MESSAGE)
    .default(0),
  continueOnFailure: z.boolean().default(false),
};

const transformField = z.object({ name: propertyName, value: z.unknown() });
/** What the generic HTTP connector cannot do without; its other parameters are checked when the step runs. */
const httpParams = z.looseObject({ url: z.string("must be a text").trim().min(1, "is required") });
const required = z.string().min(1, "is required").max(200, "must be at most 200 characters long");

const CONCURRENCY_MESSAGE = `must be a whole number from 1 to ${LIMITS.loopConcurrency}`;
const loopFields = {
  /** A template that gives an array, or the array itself. */
  items: z.unknown().refine((items) => items !== undefined && items !== null && items !== "", "is required"),
  concurrency: z
    .int(CONCURRENCY_MESSAGE)
    .min(1, CONCURRENCY_MESSAGE)
    .max(LIMITS.loopConcurrency, CONCURRENCY_MESSAGE)
    .default(1),
  /** A template, evaluated at the end of each iteration. */
  result: z.unknown().optional(),
};

const SECONDS_MAX = LIMITS.pipelineTimeoutMs / 1000;
const SECONDS_MESSAGE = `must be a number from 0 to ${SECONDS_MAX}, or a template that gives one`;
/** The whole wait is running time, so more than the run's time cannot be meant. */
const seconds = z.unknown().refine((value) => {
  if (typeof value === "string")
    return value.includes("{{") || isInRange(value.trim() === "" ? Number.NaN : Number(value));
  return typeof value === "number" && isInRange(value);
}, SECONDS_MESSAGE);

function isInRange(value: number): boolean {
  return value >= 0 && value <= SECONDS_MAX;
}

const MAX_TOKENS_MAX = 1_000_000;
const MAX_TOKENS_MESSAGE = `must be a whole number from 1 to ${MAX_TOKENS_MAX}`;
const TEMPERATURE_MESSAGE = "must be a number from 0 to 2";
const promptText = z.string().max(200_000, "must be at most 200000 characters long");
/** Providers give objects only; which keywords count is the schema's own business. */
const outputSchema = z
  .record(z.string(), z.unknown(), "must be a JSON Schema")
  .refine((schema) => schema.type === "object", 'must be a JSON Schema with "type": "object"');
const llmFields = {
  connection_id: z.string("is required").min(1, "is required"),
  model: required,
  system: promptText.nullish(),
  prompt: promptText.min(1, "is required"),
  output_schema: outputSchema.nullish(),
  temperature: z.number(TEMPERATURE_MESSAGE).min(0, TEMPERATURE_MESSAGE).max(2, TEMPERATURE_MESSAGE).nullish(),
  max_tokens: z.int(MAX_TOKENS_MESSAGE).min(1, MAX_TOKENS_MESSAGE).max(MAX_TOKENS_MAX, MAX_TOKENS_MESSAGE).nullish(),
};

/**
 * `data` of each node type as a publishable definition holds it (decisions, The graph document). Unknown keys are
 * dropped, not refused: the canvas keeps state of its own beside the configuration.
 */
export const nodeDataSchemas = {
  action_input: z.object({ ...label, properties: inputPropertiesSchema }),
  trigger: labelled.and(triggerConfig),
  condition: z.object({ ...label, ...conditionFields }),
  switch: z.object({ ...label, ...switchFields }),
  loop: z.object({ ...label, ...loopFields }),
  delay: z.object({ ...label, seconds }),
  approval: z.object({ ...label, message: z.string().max(2_000, "must be at most 2000 characters long").nullish() }),
  sub_workflow: z.object({
    ...label,
    ...work,
    action_slug: z.string().regex(SLUG_PATTERN, "must be the slug of an action"),
    input: z.record(z.string(), z.unknown()).default({}),
  }),
  code: z.object({
    ...label,
    ...work,
    source: z.string().min(1, "is required").max(100_000, "must be at most 100000 characters long"),
    input: z.record(z.string(), z.unknown()).default({}),
  }),
  transform: z
    .object({
      ...label,
      ...work,
      fields: z.array(transformField).max(200).superRefine(uniqueNames).optional(),
      jsonata: z.string().min(1, "is required").max(20_000, "must be at most 20000 characters long").optional(),
    })
    .superRefine(({ fields, jsonata }, context) => {
      const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
      if (fields === undefined && jsonata === undefined) refuse("fields", "is required");
      if (fields !== undefined && jsonata !== undefined) refuse("jsonata", "stands beside fields; only one can count");
    }),
  connector: z
    .object({
      ...label,
      ...work,
      connector: required,
      operation: required,
      connection_id: z.string().nullish(),
      params: z.record(z.string(), z.unknown()).default({}),
    })
    .superRefine((data, context) => {
      if (data.connector !== "http") return;
      for (const issue of httpParams.safeParse(data.params).error?.issues ?? []) {
        const message = issue.path.length > 0 && data.params.url === undefined ? "is required" : issue.message;
        context.addIssue({ code: "custom", path: ["params", ...issue.path], message });
      }
    }),
  llm: z.object({ ...label, ...work, ...llmFields }),
  return_output: z.object({ ...label, properties: outputPropertiesSchema }),
} satisfies Record<NodeType, z.ZodType>;

/** `data` of each node type after parsing: defaults filled in. */
export type NodeData = { [Type in NodeType]: z.output<(typeof nodeDataSchemas)[Type]> };

/** What a person calls the node: its label, or its id while it has none. */
export function nodeLabel(node: { id: string; data: JsonObject }): string {
  const name = node.data.name;
  return typeof name === "string" && name.trim() !== "" ? name : node.id;
}
