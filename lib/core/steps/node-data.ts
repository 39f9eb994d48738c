import { z } from "zod";
import type { JsonObject } from "#lib/contract/json-schema";

/** Every node may carry a label (decisions, The graph document). */
export const label = { name: z.string().max(200, "must be at most 200 characters long").optional() };

/** What a person calls the node: its label, or its id while it has none. */
export function nodeLabel(node: { id: string; data: JsonObject }): string {
  const name = node.data.name;
  return typeof name === "string" && name.trim() !== "" ? name : node.id;
}
