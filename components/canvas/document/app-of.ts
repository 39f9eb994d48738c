import type { GraphNode } from "#lib/contract/workflow/graph";

/** Returns the connector whose mark a node shows instead of the icon of its kind, or null. */
export function appOf({ type, data }: Pick<GraphNode, "type" | "data">): string | null {
  const isApp = type === "connector" || (type === "trigger" && data.kind === "connector");
  const { connector } = data;
  return isApp && typeof connector === "string" && connector !== "" && connector !== "http" ? connector : null;
}
