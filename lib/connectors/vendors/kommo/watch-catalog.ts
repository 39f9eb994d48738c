import { z } from "zod";
import { pathOf } from "#lib/connectors/sdk/call-service";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { ConnectorEvent, Polled, TriggerPoll } from "#lib/connectors/sdk/define-trigger";
import { kommoId } from "#lib/connectors/vendors/kommo/fields";
import { listFromKommo } from "#lib/connectors/vendors/kommo/kommo-request";
import { optionsFrom } from "#lib/contract/field-options";
import type { JsonObject } from "#lib/contract/json-schema";
import { StepError } from "#lib/contract/step-error";

const PAGE = 250;
const PAGES_MAX = 20;
/** The number of ids in one URL. */
const ASKED_AT_ONCE = 50;

export const catalogParams = z.object({ catalog_id: kommoId.meta({ title: "List", ...optionsFrom("catalogs") }) });

const element = z.looseObject({ id: z.number(), updated_at: z.number().nullish(), created_at: z.number().nullish() });
type Element = z.output<typeof element>;

/** The time of the last change of each existing element, in epoch seconds. */
const cursorSchema = z.object({ elements: z.record(z.string(), z.number()) });
type Known = z.output<typeof cursorSchema>["elements"];

type Change = "added" | "updated" | "deleted";

/**
 * Watches the list itself, because Kommo documents no event names to subscribe to.
 * @returns a poll for one kind of change to the elements of one list
 */
export function watchCatalog(event: string, change: Change): TriggerPoll {
  return {
    everySeconds: 120,
    list: async (service, { cursor, params }): Promise<Polled> => {
      const { catalog_id: catalogId } = catalogParams.parse(params);
      const before = cursor === null ? null : cursorSchema.parse(cursor).elements;
      const listed = await listAll(service, catalogId);
      const now: Known = Object.fromEntries(listed.map((item) => [String(item.id), changedAt(item)]));
      if (before === null) return { events: [], cursor: { elements: now } };
      const gone = await confirmGone(
        service,
        catalogId,
        Object.keys(before).filter((key) => !Object.hasOwn(now, key)),
      );
      const kept = Object.entries(before).filter(([key]) => !Object.hasOwn(now, key) && !gone.includes(key));
      const events =
        change === "deleted"
          ? gone.map((key) => deletion(event, catalogId, key, before[key] ?? 0))
          : listed
              .filter((item) => isChange(change, item, before))
              .map((item) => toEvent(event, change, catalogId, item));
      return { events, cursor: { elements: { ...now, ...Object.fromEntries(kept) } } };
    },
  };
}

async function listAll(service: ServiceContext, catalogId: number): Promise<Element[]> {
  const elements: Element[] = [];
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const listed = await listFromKommo(service, pathOf`/catalogs/${catalogId}/elements`, { page, limit: PAGE });
    elements.push(...readElements(listed.items));
    if (!listed.has_more) return elements;
  }
  throw new StepError(
    "VALIDATION_ERROR",
    `The list has more than ${PAGE * PAGES_MAX} elements, which is too many to watch`,
  );
}

/**
 * Returns the elements that are really gone. An element may move to a page that was already read, so each missing one
 * is looked up by id.
 */
async function confirmGone(service: ServiceContext, catalogId: number, missing: readonly string[]): Promise<string[]> {
  const there = new Set<string>();
  for (let from = 0; from < missing.length; from += ASKED_AT_ONCE) {
    const filter = { id: missing.slice(from, from + ASKED_AT_ONCE) };
    const path = pathOf`/catalogs/${catalogId}/elements`;
    const { items } = await listFromKommo(service, path, { filter, limit: PAGE });
    for (const item of readElements(items)) there.add(String(item.id));
  }
  return missing.filter((key) => !there.has(key));
}

function readElements(items: readonly unknown[]): Element[] {
  const parsed = z.array(element).safeParse(items);
  if (parsed.success) return parsed.data;
  throw new StepError("answer_unreadable", "The response can't be read: it contains no list elements");
}

function changedAt({ updated_at: updatedAt, created_at: createdAt }: Element): number {
  return updatedAt ?? createdAt ?? 0;
}

function isChange(change: Change, item: Element, before: Known): boolean {
  const last = before[String(item.id)];
  return change === "added" ? last === undefined : last !== undefined && changedAt(item) > last;
}

function toEvent(event: string, change: Change, catalogId: number, item: Element): ConnectorEvent {
  const seconds = change === "added" ? (item.created_at ?? 0) : changedAt(item);
  const data: JsonObject = { ...item, catalog_id: catalogId };
  const id = change === "added" ? String(item.id) : `${item.id}-${seconds}`;
  return { event, id, occurredAt: seconds > 0 ? new Date(seconds * 1_000) : null, data };
}

function deletion(event: string, catalogId: number, key: string, lastChangeSeconds: number): ConnectorEvent {
  const data: JsonObject = { id: Number(key), catalog_id: catalogId };
  return { event, id: `${key}-${lastChangeSeconds}`, occurredAt: null, data };
}
