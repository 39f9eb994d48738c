import { z } from "zod";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { ConnectorEvent, Polled } from "#lib/connectors/sdk/define-trigger";
import { HAPPENINGS, type Happening, toEvent } from "#lib/connectors/vendors/bitrix24/events";
import { listObjects, textOf } from "#lib/connectors/vendors/bitrix24/kinds";
import type { JsonObject } from "#lib/contract/wire/json-schema";

const PAGES_MAX = 5;

const addedSchema = z.object({ lastId: z.number() });
const updatedSchema = z.object({
  /** The time of the last change seen, in Bitrix24's format. */
  since: z.string(),
  /** The ids of the objects seen with exactly that time. */
  seen: z.array(z.string()),
});

/** The result of polling one event. */
interface Turn {
  events: ConnectorEvent[];
  cursor: JsonObject;
  isMore: boolean;
}

/**
 * Polls for new and changed objects, event by event. Inbound webhooks need this because Bitrix24 cannot send them
 * events.
 * @param cursor the position of each event; an event without one starts now
 */
export async function pollBitrix24(
  service: ServiceContext,
  cursor: JsonObject | null,
  wanted: readonly string[],
): Promise<Polled> {
  const turns: Record<string, Turn> = {};
  for (const event of wanted) {
    const happening = HAPPENINGS[event];
    if (happening) turns[event] = await pollOne(service, event, happening, cursor?.[event]);
  }
  return {
    events: Object.values(turns).flatMap(({ events }) => events),
    cursor: Object.fromEntries(Object.entries(turns).map(([event, turn]) => [event, turn.cursor])),
    isMore: Object.values(turns).some(({ isMore }) => isMore),
  };
}

async function pollOne(service: ServiceContext, event: string, happening: Happening, from: unknown): Promise<Turn> {
  if (happening.change === "added") {
    const cursor = addedSchema.safeParse(from).data;
    return cursor ? pollAdded(service, event, happening, cursor.lastId) : beginAdded(service, happening);
  }
  const cursor = updatedSchema.safeParse(from).data;
  return cursor ? pollUpdated(service, event, happening, cursor) : beginUpdated(service, happening);
}

async function beginAdded(service: ServiceContext, { kind }: Happening): Promise<Turn> {
  const { items } = await listObjects(service, kind, { order: { ID: kind.list.descending } });
  return { events: [], cursor: { lastId: highestId(items, kind.id, 0) }, isMore: false };
}

/** Ids only grow, so anything above the last id is new. */
async function pollAdded(service: ServiceContext, event: string, happening: Happening, lastId: number): Promise<Turn> {
  const { kind } = happening;
  const order = { ID: kind.list.ascending };
  const { items, next } = await listObjects(service, kind, { filter: { ">ID": lastId }, order });
  return {
    events: items.flatMap((item) => toEvent(event, happening, item) ?? []),
    cursor: { lastId: highestId(items, kind.id, lastId) },
    isMore: next !== null && items.length > 0,
  };
}

function highestId(items: readonly JsonObject[], field: string, least: number): number {
  return items.reduce((highest, item) => Math.max(highest, Number(textOf(item, field)) || 0), least);
}

async function beginUpdated(service: ServiceContext, { kind }: Happening): Promise<Turn> {
  const { items } = await listObjects(service, kind, { order: { [kind.changedFilter]: kind.list.descending } });
  const since = items[0] ? textOf(items[0], kind.changedAt) : null;
  if (since === null) return { events: [], cursor: { since: service.now().toISOString(), seen: [] }, isMore: false };
  return { events: [], cursor: { since, seen: idsAt(items, kind, since) }, isMore: false };
}

async function pollUpdated(
  service: ServiceContext,
  event: string,
  happening: Happening,
  { since, seen }: z.output<typeof updatedSchema>,
): Promise<Turn> {
  const { kind } = happening;
  const { items, isMore } = await listChanged(service, happening, since);
  const fresh = items.filter((item) => {
    const changedAt = textOf(item, kind.changedAt);
    const isSeen = changedAt === since && seen.includes(textOf(item, kind.id) ?? "");
    // An object that was only created has not changed yet.
    return !isSeen && changedAt !== textOf(item, kind.createdAt);
  });
  const last = items.at(-1);
  const until = (last && textOf(last, kind.changedAt)) ?? since;
  const kept = until === since ? seen : [];
  return {
    events: fresh.flatMap((item) => toEvent(event, happening, item) ?? []),
    cursor: { since: until, seen: [...new Set([...kept, ...idsAt(items, kind, until)])] },
    isMore: isMore && until !== since,
  };
}

async function listChanged(service: ServiceContext, { kind }: Happening, since: string) {
  const order = { [kind.changedFilter]: kind.list.ascending, ID: kind.list.ascending };
  const filter = { [`>=${kind.changedFilter}`]: since };
  const items: JsonObject[] = [];
  let start: number | null = 0;
  for (let page = 0; page < PAGES_MAX && start !== null; page += 1) {
    const listed = await listObjects(service, kind, { filter, order, start });
    items.push(...listed.items);
    start = listed.next;
  }
  return { items, isMore: start !== null };
}

function idsAt(items: readonly JsonObject[], kind: Happening["kind"], time: string): string[] {
  return items.flatMap((item) => {
    const id = textOf(item, kind.id);
    return id !== null && textOf(item, kind.changedAt) === time ? [id] : [];
  });
}
