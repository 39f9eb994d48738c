import { z } from "zod";
import type { NodeType } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";
import { conditionFields, switchFields } from "#lib/graph/condition-data";
import { inputPropertiesSchema, outputPropertiesSchema, propertyName, uniqueNames } from "#lib/graph/property-data";
import { triggerConfig } from "#lib/graph/trigger-data";

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

/**
 * `data` of each node type as a publishable definition holds it (decisions, The graph document). Unknown keys are
 * dropped, not refused: the canvas keeps state of its own beside the configuration.
 */
export const nodeDataSchemas = {
  action_input: z.object({ ...label, properties: inputPropertiesSchema }),
  trigger: labelled.and(triggerConfig),
  condition: z.object({ ...label, ...conditionFields }),
  switch: z.object({ ...label, ...switchFields }),
  transform: z.object({ ...label, ...work, fields: z.array(transformField).max(200).superRefine(uniqueNames) }),
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
  return_output: z.object({ ...label, properties: outputPropertiesSchema }),
} satisfies Record<NodeType, z.ZodType>;

/** `data` of each node type after parsing: defaults filled in. */
export type NodeData = { [Type in NodeType]: z.output<(typeof nodeDataSchemas)[Type]> };

/** What a person calls the node: its label, or its id while it has none. */
export function nodeLabel(node: { id: string; data: JsonObject }): string {
  const name = node.data.name;
  return typeof name === "string" && name.trim() !== "" ? name : node.id;
}
