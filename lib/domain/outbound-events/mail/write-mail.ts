import type { EventType } from "#lib/contract/event/outbound-event";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { describeAlert, describeRecovery } from "#lib/domain/outbound-events/alerts/describe-alert";
import { linksOf, type OutboxEvent } from "#lib/domain/outbound-events/present-event";
import { formatDateTime, formatInstant } from "#lib/support/format/format-moment";
import { formatCount, formatNumber } from "#lib/support/format/format-number";
import { readerIn } from "#lib/support/format/reader";

const LISTED_MAX = 20;

interface MailPlace {
  /** The address where people reach Signalbox. */
  baseUrl: string;
  /** The workspace's time zone: an email has many readers, and no browser to ask. */
  timeZone: string;
}

/** Writes subject and text of one email about events of the same type, oldest first. */
export function writeMail(events: readonly [OutboxEvent, ...OutboxEvent[]], place: MailPlace) {
  const { baseUrl } = place;
  const [event] = events;
  const subject = events.length === 1 ? subjectOf(event) : `${formatCount(events.length, "time")}: ${subjectOf(event)}`;
  const shown = events.slice(0, LISTED_MAX).map((one) => textOf(one, place));
  const more = events.length - shown.length;
  const rest = more > 0 ? [`And ${formatNumber(more)} more: ${baseUrl}/runs`] : [];
  return {
    subject: oneLine(subject),
    text: [...shown, ...rest, `Admins can choose which events are emailed: ${baseUrl}/settings/events`].join("\n\n"),
  };
}

const SUBJECTS: Record<EventType, (name: string, data: OutboxEvent["data"]) => string> = {
  "run.waiting_for_approval": (name) => `${name} waits for your approval`,
  "run.succeeded": (name) => `${name} succeeded`,
  "run.failed": (name) => `${name} failed`,
  "run.timed_out": (name) => `${name} timed out`,
  "run.cancelled": (name) => `${name} was cancelled`,
  "circuit.opened": (name) => `Calls to ${name} are paused after repeated failures`,
  "schedule.missed": (name, { missed }) => `${name} missed ${formatCount(Number(missed), "scheduled run")}`,
  "listener.failed": (name) => `Events from ${name} cannot be received`,
  "listener.recovered": (name) => `Events from ${name} are received again`,
  "alert.fired": (name, data) => `Alert: ${name}, ${describeAlert(data)}`,
  "alert.recovered": (name, data) => `Recovered: ${name}, ${describeRecovery(data)}`,
  "action.breaking_change": (name, { key_name: key }) => `${String(key)} published a breaking change to ${name}`,
  "action.approval_removed": (name, { key_name: key }) => `${String(key)} published ${name} with weaker approvals`,
};

function subjectOf({ type, data }: OutboxEvent): string {
  const name = String(data.workflow_name ?? data.connection_name ?? data.connector ?? "workflow");
  // A newer process may have written an event that this one does not know.
  return Object.hasOwn(SUBJECTS, type) ? SUBJECTS[type as EventType](name, data) : `${name}: ${type}`;
}

function textOf(event: OutboxEvent, { baseUrl, timeZone }: MailPlace): string {
  const reader = readerIn(timeZone);
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
    ...describeKeyPublish(data),
    ...(type === "run.waiting_for_approval"
      ? [`Open the link to decide before ${formatDateTime(String(approval.expires_at), reader)}.`]
      : [formatInstant(createdAt, reader)]),
    ...(link === undefined ? [] : [link]),
  ].join("\n");
}

/** What a key published, for the events `action.breaking_change` and `action.approval_removed`. */
function describeKeyPublish(data: JsonObject): string[] {
  const { version, action_slug: slug, fields, steps, unguarded_steps: unguarded } = data;
  if (!Array.isArray(fields) && !Array.isArray(steps)) return [];
  return [
    `Version ${String(version)} of ${String(slug)} is deployed.`,
    Array.isArray(fields) ? `Input fields that changed: ${fields.join(", ")}.` : "",
    Array.isArray(steps) && steps.length > 0 ? `Removed approval steps: ${steps.join(", ")}.` : "",
    Array.isArray(unguarded) ? `Steps that no longer wait for an approval: ${unguarded.join(", ")}.` : "",
    "Compare the versions, and publish the earlier one again if this was not intended.",
  ].filter((line) => line !== "");
}

function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null ? (value as JsonObject) : {};
}

/** A subject is one line, but the name of a workflow may contain any character. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, 200);
}
