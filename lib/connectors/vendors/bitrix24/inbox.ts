import { z } from "zod";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { ConnectorEvent, InboxDefinition, InboxSubscription } from "#lib/connectors/sdk/define-trigger";
import { parseForm } from "#lib/connectors/sdk/parse-form";
import { isSameText } from "#lib/connectors/sdk/same-text";
import { callBitrix24 } from "#lib/connectors/vendors/bitrix24/call-bitrix24";
import { HAPPENINGS, toEvent } from "#lib/connectors/vendors/bitrix24/events";
import { getObject, read, textOf } from "#lib/connectors/vendors/bitrix24/kinds";
import { pollBitrix24 } from "#lib/connectors/vendors/bitrix24/poll-bitrix24";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isJsonObject } from "#lib/support/json";

/**
 * The query parameter with the secret. Binding a handler does not reveal the token that deliveries carry, so the URL
 * carries a secret that only Bitrix24 and we know.
 */
const KEY = "key";
const EVERY_SECONDS = 60;

const bound = z.array(z.looseObject({ event: z.string(), handler: z.string() }));
const stateSchema = z.object({ url: z.string() });

/** Binds one handler per event, all at one URL: https://apidocs.bitrix24.com/api-reference/events/event-bind.html. */
export const BITRIX24_INBOX: InboxDefinition = {
  webhook: {
    // Only an application may bind handlers; an inbound webhook may not.
    isPossible: isApplication,
    subscribe: async (service, { events, ...subscription }) => {
      const handler = handlerOf(subscription, subscription.url);
      const wanted = events.flatMap((event) => HAPPENINGS[event]?.name ?? []);
      const ours = await listBound(service, subscription);
      for (const { event, handler: address } of ours) {
        if (address !== handler || !wanted.includes(event))
          await callBitrix24(service, "event.unbind", { event, handler: address });
      }
      const kept = ours.filter(({ handler: address }) => address === handler).map(({ event }) => event);
      for (const event of wanted.filter((name) => !kept.includes(name))) {
        await callBitrix24(service, "event.bind", { event, handler });
      }
      return { url: subscription.url };
    },
    unsubscribe: async (service, subscription) => {
      if (!isApplication(service.settings)) return;
      for (const { event, handler } of await listBound(service, subscription)) {
        await callBitrix24(service, "event.unbind", { event, handler });
      }
    },
    receive: ({ body, query }, { secret }) => {
      if (!isSameText(query.get(KEY) ?? "", secret)) {
        return { isGenuine: false, reason: `${KEY} in the URL is missing or wrong` };
      }
      const event = readDelivery(body);
      return { isGenuine: true, events: event ? [event] : [] };
    },
    complete,
  },
  poll: {
    everySeconds: EVERY_SECONDS,
    list: (service, { cursor, events }) => pollBitrix24(service, cursor, events),
  },
};

function isApplication({ domain }: ServiceContext["settings"]): boolean {
  return domain !== undefined;
}

function handlerOf({ secret }: InboxSubscription, url: string): string {
  return `${url}?${KEY}=${secret}`;
}

/** Returns our bound handlers, at the current URL and at the previous one if it was different. */
async function listBound(service: ServiceContext, subscription: InboxSubscription): Promise<z.output<typeof bound>> {
  const before = stateSchema.safeParse(subscription.state).data?.url ?? subscription.url;
  const addresses = [handlerOf(subscription, subscription.url), handlerOf(subscription, before)];
  const { result } = await callBitrix24(service, "event.get");
  const names = Object.values(HAPPENINGS).map(({ name }) => name);
  return read(bound, result)
    .map(({ event, handler }) => ({ event: event.toUpperCase(), handler }))
    .filter(({ event, handler }) => names.includes(event) && addresses.includes(handler));
}

/** Reads a delivery, which holds the id of an object and the time it was sent. */
function readDelivery(body: Buffer): ConnectorEvent | null {
  const { event: name, data, ts } = parseForm(body);
  const known = Object.entries(HAPPENINGS).find(([, happening]) => happening.name === name);
  const id = isJsonObject(data) ? idOf(data) : null;
  if (!known || id === null) return null;
  const [event, { change, kind }] = known;
  const seconds = typeof ts === "string" && /^\d{9,10}$/.test(ts) ? Number(ts) : null;
  return {
    event,
    id: change === "added" ? id : `${id}-${seconds ?? ""}`,
    occurredAt: seconds === null ? null : new Date(seconds * 1_000),
    data: { [kind.id]: id },
  };
}

function idOf({ FIELDS: fields, FIELDS_AFTER: after }: JsonObject): string | null {
  const [id] = [fields, after].flatMap((part) => (isJsonObject(part) && typeof part.ID === "string" ? [part.ID] : []));
  return id ?? null;
}

/**
 * Completes an event with the object itself. Bitrix24 sends nothing twice
 * (https://apidocs.bitrix24.com/api-reference/events/index.html), so if the object cannot be read or is already
 * deleted, the event carries only its id.
 */
async function complete(service: ServiceContext, event: ConnectorEvent): Promise<ConnectorEvent> {
  const happening = HAPPENINGS[event.event];
  const id = happening && textOf(event.data, happening.kind.id);
  if (!happening || !id) return event;
  try {
    return toEvent(event.event, happening, await getObject(service, happening.kind, id)) ?? event;
  } catch (error) {
    if (error instanceof StepError) return event;
    throw error;
  }
}
