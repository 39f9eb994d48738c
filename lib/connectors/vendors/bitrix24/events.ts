import type { ConnectorEvent } from "#lib/connectors/sdk/define-trigger";
import { CONTACT, DEAL, type Kind, LEAD, TASK, textOf } from "#lib/connectors/vendors/bitrix24/kinds";
import type { JsonObject } from "#lib/contract/wire/json-schema";

export interface Happening {
  /** The event name in event.bind and in deliveries. */
  name: string;
  kind: Kind;
  change: "added" | "updated";
}

/** Maps our trigger identifiers to Bitrix24's events: https://apidocs.bitrix24.com/api-reference/events/index.html. */
export const HAPPENINGS: Readonly<Record<string, Happening>> = {
  new_deal: { name: "ONCRMDEALADD", kind: DEAL, change: "added" },
  deal_updated: { name: "ONCRMDEALUPDATE", kind: DEAL, change: "updated" },
  new_contact: { name: "ONCRMCONTACTADD", kind: CONTACT, change: "added" },
  new_lead: { name: "ONCRMLEADADD", kind: LEAD, change: "added" },
  task_added: { name: "ONTASKADD", kind: TASK, change: "added" },
  task_updated: { name: "ONTASKUPDATE", kind: TASK, change: "updated" },
};

/**
 * Builds an event from a whole object. An object is created once, so its id identifies the event; a change is
 * identified by its time.
 */
export function toEvent(event: string, { kind, change }: Happening, object: JsonObject): ConnectorEvent | null {
  const id = textOf(object, kind.id);
  if (id === null) return null;
  const at = textOf(object, change === "added" ? kind.createdAt : kind.changedAt);
  const time = at === null ? Number.NaN : Date.parse(at);
  const occurredAt = Number.isNaN(time) ? null : new Date(time);
  return { event, id: change === "added" ? id : `${id}-${at ?? ""}`, occurredAt, data: object };
}
