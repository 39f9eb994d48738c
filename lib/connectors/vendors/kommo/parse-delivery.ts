import { createHash } from "node:crypto";
import type { ConnectorEvent } from "#lib/connectors/sdk/define-trigger";
import { parseForm } from "#lib/connectors/sdk/parse-form";
import { eventName } from "#lib/connectors/vendors/kommo/event-names";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { canonicalJson, isJsonObject } from "#lib/support/json";

/** `element_type` of a note: 1 a contact, 2 a lead, 3 a company. */
const COMPANY_NOTE = "3";
/** Actions that happen to an object only once, so its id identifies the event. */
const ONCE: ReadonlySet<string> = new Set(["add", "note"]);
const EPOCH_SECONDS = /^\d{9,10}$/;
const ID_DIGITS = 16;

/**
 * Reads a delivery: a form with keys such as `object[action][0][field]`, which may hold several objects and types.
 * Every value is a string. https://www.amocrm.ru/developers/content/crm_platform/webhooks-format
 */
export function parseDelivery(body: Buffer): ConnectorEvent[] {
  return Object.entries(parseForm(body)).flatMap(([kind, actions]) => {
    if (!isJsonObject(actions)) return [];
    return Object.entries(actions).flatMap(([action, rows]) =>
      rowsOf(rows).flatMap((row) => toEvent(kind, action, row) ?? []),
    );
  });
}

/**
 * Returns the rows of an action. Numbered rows are a list, a deleted object may be its bare id, and a list may be
 * nested in another list.
 */
function rowsOf(rows: unknown): JsonObject[] {
  if (typeof rows === "string") return [{ id: rows }];
  if (Array.isArray(rows)) return rows.flatMap(rowsOf);
  if (!isJsonObject(rows)) return [];
  const names = Object.keys(rows);
  return names.every((name) => /^\d+$/.test(name)) ? names.flatMap((name) => rowsOf(rows[name])) : [rows];
}

function toEvent(kind: string, action: string, row: JsonObject): ConnectorEvent | null {
  const data = action === "note" && isJsonObject(row.note) ? row.note : row;
  const event = eventName(isCompany(kind, data) ? "companies" : kind, action);
  const id = idOf(data);
  if (event === null || id === null) return null;
  // Some accounts send a manager's own messages under the same name.
  if (event === "message_received" && data.type === "outgoing") return null;
  return { event, id: ONCE.has(action) ? id : `${id}-${digest(data)}`, occurredAt: occurredAt(action, data), data };
}

/** Companies and their notes may be sent under the name of contacts. */
function isCompany(kind: string, data: JsonObject): boolean {
  return (
    kind === "companies" || (kind === "contacts" && (data.type === "company" || data.element_type === COMPANY_NOTE))
  );
}

function idOf(data: JsonObject): string | null {
  const id = [data.id, data.uid, data.talk_id].find((value) => typeof value === "string" && value !== "");
  return typeof id === "string" ? id : null;
}

/**
 * Identifies an event by its content, because deliveries have no id. A repeated delivery has the same fields; a later
 * change has another modification time. A deletion has no time, so an object that is restored and deleted again within
 * a week starts nothing the second time.
 */
function digest(data: JsonObject): string {
  return createHash("sha256").update(canonicalJson(data)).digest("hex").slice(0, ID_DIGITS);
}

function occurredAt(action: string, data: JsonObject): Date | null {
  const created = [data.created_at, data.date_create];
  const changed = [data.updated_at, data.last_modified];
  const times = ONCE.has(action) ? [...created, ...changed] : changed;
  const seconds = times.find((value) => typeof value === "string" && EPOCH_SECONDS.test(value));
  return seconds === undefined ? null : new Date(Number(seconds) * 1_000);
}
