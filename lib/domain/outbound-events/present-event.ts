import type { JsonObject } from "#lib/contract/wire/json-schema";

/** One event as it is stored in the outbox. */
export interface OutboxEvent {
  type: string;
  data: JsonObject;
  createdAt: Date;
}

/**
 * Builds the body of an event, the same for every attempt: `{type, timestamp, data}` (Standard Webhooks). It contains
 * ids, names, status, error, times and links; never an input or an output, nor a message that a workflow made of them.
 * @param baseUrl the address where people reach Signalbox
 */
export function presentOutboundEvent({ type, data, createdAt }: OutboxEvent, baseUrl: string): JsonObject {
  const { approval, ...rest } = withIsoTimes(data);
  const { message: _, ...shown } = isObject(approval) ? approval : {};
  return {
    type,
    timestamp: createdAt.toISOString(),
    data: {
      ...rest,
      ...durationOf(rest),
      ...(isObject(approval) ? { approval: shown } : {}),
      links: linksOf(data, baseUrl),
    },
  };
}

/** Returns the page where a person continues from an event. */
export function linksOf(data: JsonObject, baseUrl: string) {
  const { run_id: runId, workflow_id: workflowId, connector, approval } = data;
  return {
    ...(typeof runId === "string" ? { run: `${baseUrl}/runs/${runId}` } : {}),
    ...(typeof workflowId === "string" ? { workflow: `${baseUrl}/workflows/${workflowId}` } : {}),
    ...(typeof connector === "string" ? { connections: `${baseUrl}/connections` } : {}),
    ...(isObject(approval) ? { approval: `${baseUrl}/approvals/${String(approval.id)}` } : {}),
  };
}

function durationOf({ started_at: from, completed_at: to }: JsonObject): JsonObject {
  if (typeof to !== "string") return {};
  return { duration_ms: typeof from === "string" ? Date.parse(to) - Date.parse(from) : null };
}

/** PostgreSQL writes times differently; ours are ISO 8601 with milliseconds. */
function withIsoTimes(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (isObject(item)) return [name, withIsoTimes(item)];
      return [name, name.endsWith("_at") && typeof item === "string" ? new Date(item).toISOString() : item];
    }),
  );
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
