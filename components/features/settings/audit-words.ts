import type { AuditEventObject } from "#lib/contract/workspace";

/** The object types of the log, as filter options. */
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

/** Formats "key.created" as "Key created" and "member.role_changed" as "Member role changed". */
export function describeAction(action: string): string {
  const words = action.replaceAll(/[._]/g, " ");
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** Returns the actor's name, or a generic word if the event names no one. */
export function describeActor({ type, name }: AuditEventObject["actor"]): string {
  if (type === "system") return name ?? "The service";
  return name ?? (type === "api_key" ? "An API key" : "Somebody");
}

/**
 * Formats the details of an event on one line: `name: Bob · editor → admin`. Empty values are omitted. The name comes
 * first and changes last, because the database keeps no order.
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

/** Returns the page of the event's object, or null if it has no page or the event deleted it. */
export function pathOfObject({ object_type: type, object_id: id, action }: AuditEventObject): string | null {
  if (id === null || action.endsWith(".deleted")) return null;
  if (type === "run") return `/runs/${id}`;
  if (type === "workflow") return `/workflows/${id}`;
  if (type === "api_key") return "/keys";
  if (type === "connection") return "/connections";
  return null;
}
