import { z } from "zod";
import type { JsonObject } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";

/** Every node may carry a label (decisions, The graph document). */
export const label = { name: z.string().max(200, "must be at most 200 characters long").optional() };

const MAX_RETRIES_MESSAGE = `must be a whole number from 0 to ${LIMITS.maxRetries}`;
/** Nodes that do work can be retried, and the run can continue without them. */
export const work = {
  maxRetries: z
    .int(MAX_RETRIES_MESSAGE)
    .min(0, MAX_RETRIES_MESSAGE)
    .max(LIMITS.maxRetries, MAX_RETRIES_MESSAGE)
    .default(0),
  continueOnFailure: z.boolean().default(false),
};

/** What a person calls the node: its label, or its id while it has none. */
export function nodeLabel(node: { id: string; data: JsonObject }): string {
  const name = node.data.name;
  return typeof name === "string" && name.trim() !== "" ? name : node.id;
}
