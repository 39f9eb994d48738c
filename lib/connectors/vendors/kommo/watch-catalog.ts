import { z } from "zod";
import { pathOf } from "#lib/connectors/sdk/call-service";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { ConnectorEvent, Polled, TriggerPoll } from "#lib/connectors/sdk/define-trigger";
import { kommoId } from "#lib/connectors/vendors/kommo/fields";
import { listFromKommo } from "#lib/connectors/vendors/kommo/kommo-request";
import { optionsFrom } from "#lib/contract/action/field-options";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { formatNumber } from "#lib/support/format/format-number";

const PAGE = 250;
/** A turn ends before another worker takes it over. */
const PAGES_PER_TURN = 20;
/** The number of ids in one URL. */
const ASKED_AT_ONCE = 50;

export const catalogParams = z.object({ catalog_id: kommoId.meta({ title: "List", ...optionsFrom("catalogs") }) });

const element = z.looseObject({ id: z.number(), updated_at: z.number().nullish(), created_at: z.number().nullish() });
type Element = z.output<typeof element>;

/** The time of the last change of each element, in epoch seconds. */
const knownSchema = z.record(z.string(), z.number());
type Known = z.output<typeof knownSchema>;

const cursorSchema = z.object({
  /** The elements after the last complete reading; null before the first one. */
  elements: knownSchema.nullable(),
  /** A reading that continues in the next turn. */
  reading: z.object({ page: z.number(), elements: knownSchema }).nullish(),
});

type Change = "added" | "updated" | "deleted";

/**
 * Watches the list itself, because Kommo documents no event names to subscribe to. A long list is read in several turns.
 * @returns a poll for one kind of change to the elements of one list
 */
export function watchCatalog(event: string, change: Change): TriggerPoll {
  return {
    everySeconds: 120,
    list: async (service, { cursor, params }): Promise<Polled> => {
      const { catalog_id: catalogId } = catalogParams.parse(params);
      const { elements: before, reading } = cursorSchema.parse(cursor ?? { elements: null });
      const { listed, nextPage } = await readPages(service, catalogId, reading?.page ?? 1);
      const read: Known = { ...reading?.elements };
      for (const item of listed) read[String(item.id)] = changedAt(item);
      const events =
        before === null || change === "deleted"
          ? []
          : listed
              .filter((item) => isChange(change, item, before))
              .map((item) => toEvent(event, change, catalogId, item));
      if (nextPage !== null) {
        if (Object.keys(read).length > LIMITS.watchedListElements) throw tooLong();
        return { events, cursor: { elements: before, reading: { page: nextPage, elements: read } }, isMore: true };
      }
      if (before === null) return { events: [], cursor: { elements: read } };
      const missing = Object.keys(before).filter((key) => !Object.hasOwn(read, key));
      const gone = new Set(await confirmGone(service, catalogId, missing));
      if (change === "deleted")
        events.push(...[...gone].map((key) => deletion(event, catalogId, key, before[key] ?? 0)));
      const kept = missing.filter((key) => !gone.has(key)).map((key) => [key, before[key] ?? 0]);
      return { events, cursor: { elements: { ...read, ...Object.fromEntries(kept) } } };
    },
  };
}

/** @returns the elements of some pages, and the next page; null after the last */
async function readPages(service: ServiceContext, catalogId: number, firstPage: number) {
  const listed: Element[] = [];
  for (let page = firstPage; page < firstPage + PAGES_PER_TURN; page += 1) {
    const answer = await listFromKommo(service, pathOf`/catalogs/${catalogId}/elements`, { page, limit: PAGE });
    listed.push(...readElements(answer.items));
    if (!answer.has_more) return { listed, nextPage: null };
  }
  return { listed, nextPage: firstPage + PAGES_PER_TURN };
}

function tooLong(): StepError {
  const most = formatNumber(LIMITS.watchedListElements);
  return new StepError("VALIDATION_ERROR", `The list has more than ${most} elements, which is too many to watch`);
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
