import type { AuditEventObject } from "#lib/contract/workspace";

/** The nouns of the log, as a choice. */
export const AUDIT_NOUNS = [
  { value: "workflow", label: "Workflows" },
  { value: "action", label: "Actions" },
  { value: "run", label: "Runs" },
  { value: "key", label: "API keys" },
  { value: "connection", label: "Connections" },
  { value: "connector", label: "Connectors" },
  { value: "member", label: "Members" },
  { value: "workspace", label: "Workspace" },
  { value: "user", label: "Accounts" },
] as const;

/** "key.created" as "Key created", "member.role_changed" as "Member role changed". */
export function describeAction(action: string): string {
  const words = action.replaceAll(/[._]/g, " ");
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** Who it was, in a word where nobody is named. */
export function describeActor({ type, name }: AuditEventObject["actor"]): string {
  if (type === "system") return name ?? "The service";
  return name ?? (type === "api_key" ? "An API key" : "Somebody");
}

/**
 * What the event says besides, in a line: `name: Bob · editor → admin`. What is empty is left out. The name comes first
 * and what changed last, because the database keeps no order.
 */
export function describeDetails({ from, to, ...details }: AuditEventObject["details"]): string {
  const parts = Object.entries(details)
    .filter(([, value]) => value !== null && value !== "")
    .toSorted(([a], [b]) => Number(b === "name") - Number(a === "name"))
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${describeValue(value)}`);
  if (from !== undefined && to !== undefined) parts.push(describeValue({ from, to }));
  else if (from !== undefined && from !== null) parts.push(`from: ${describeValue(from)}`);
  else if (to !== undefined && to !== null) parts.push(`to: ${describeValue(to)}`);
  return parts.join(" · ");
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(describeValue).join(", ");
  if (typeof value !== "object" || value === null) return value === null ? "none" : String(value);
  const { from, to, ...rest } = value as Record<string, unknown>;
  if (from !== undefined && to !== undefined && Object.keys(rest).length === 0) {
    return `${describeValue(from)} → ${describeValue(to)}`;
  }
  return JSON.stringify(value);
}

/** Where what it is about is shown; null for what has no page, or is gone by what happened. */
export function pathOfObject({ object_type: type, object_id: id, action }: AuditEventObject): string | null {
  if (id === null || action.endsWith(".deleted")) return null;
  if (type === "run") return `/runs/${id}`;
  if (type === "workflow") return `/workflows/${id}`;
  if (type === "api_key") return "/keys";
  if (type === "connection") return "/connections";
  return null;
}
