import type { JsonObject } from "#lib/contract/json-schema";
import { describeAlert } from "#lib/domain/outbound-events/alerts/describe-alert";
import { linksOf, type OutboxEvent } from "#lib/domain/outbound-events/present-event";

const LISTED_MAX = 20;

/** Subject and text of one mail about events of the same type. The first is the oldest. @param baseUrl where people reach the service */
export function writeMail(events: readonly [OutboxEvent, ...OutboxEvent[]], baseUrl: string) {
  const [event] = events;
  const subject = events.length === 1 ? subjectOf(event) : `${events.length} times: ${subjectOf(event)}`;
  const shown = events.slice(0, LISTED_MAX).map((one) => textOf(one, baseUrl));
  const more = events.length - shown.length;
  const rest = more > 0 ? [`And ${more} more: ${baseUrl}/runs`] : [];
  return {
    subject: oneLine(subject),
    text: [...shown, ...rest, `What mail tells of: ${baseUrl}/settings/events`].join("\n\n"),
  };
}

function subjectOf({ type, data }: OutboxEvent): string {
  const name = String(data.workflow_name ?? data.connection_name ?? data.connector ?? "workflow");
  switch (type) {
    case "run.waiting_for_approval":
      return `${name} waits for your approval`;
    case "run.succeeded":
      return `${name} succeeded`;
    case "run.failed":
      return `${name} failed`;
    case "run.timed_out":
      return `${name} timed out`;
    case "run.cancelled":
      return `${name} was cancelled`;
    case "circuit.opened":
      return `Calls to ${name} are paused after repeated failures`;
    case "schedule.missed":
      return `${name} missed ${String(data.missed)} scheduled ${data.missed === 1 ? "run" : "runs"}`;
    case "listener.failed":
      return `Events of ${name} cannot be received`;
    case "listener.recovered":
      return `Events of ${name} are received again`;
    case "alert.fired":
      return `Alert: ${name}, ${describeAlert(data)}`;
    case "alert.recovered":
      return `Recovered: ${name}, ${describeAlert(data)}`;
    default:
      return `${name}: ${type}`;
  }
}

function textOf(event: OutboxEvent, baseUrl: string): string {
  const { data, type, createdAt } = event;
  const links: Record<string, string> = linksOf(data, baseUrl);
  const approval = objectOf(data.approval);
  const error = objectOf(data.error);
  const link = links.approval ?? links.run ?? links.workflow ?? links.connections;
  return [
    `${subjectOf(event)}.`,
    ...(typeof approval.message === "string" ? [approval.message] : []),
    ...(typeof error.message === "string" ? [`${String(error.code)}: ${error.message}`] : []),
    ...(typeof data.last_error === "string" ? [data.last_error] : []),
    ...(type === "run.waiting_for_approval"
      ? [`Nobody has to answer this mail. Open the link and decide there, before ${timeOf(approval.expires_at)}.`]
      : [`At ${timeOf(createdAt)}.`]),
    ...(link === undefined ? [] : [link]),
  ].join("\n");
}

function timeOf(at: unknown): string {
  return `${new Date(at as string | Date).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null ? (value as JsonObject) : {};
}

/** A subject is one line: what a person named a workflow may hold any character. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, 200);
}
