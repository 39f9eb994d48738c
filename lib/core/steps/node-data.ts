import { z } from "zod";
import type { JsonObject } from "#lib/contract/json-schema";

/** The label that every node can have (decisions, The graph document). */
export const label = { name: z.string().max(200, "must be at most 200 characters long").optional() };

/** Returns the name that people see: the node's label, or its id if it has none. */
export function nodeLabel(node: { id: string; data: JsonObject }): string {
  const name = node.data.name;
  return typeof name === "string" && name.trim() !== "" ? name : node.id;
}
