import { z } from "zod";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { InboxDefinition, InboxSubscription } from "#lib/connectors/sdk/define-trigger";
import { isSameText } from "#lib/connectors/sdk/same-text";
import { callKommo } from "#lib/connectors/vendors/kommo/call-kommo";
import { webhookSettingsOf } from "#lib/connectors/vendors/kommo/event-names";
import { parseDelivery } from "#lib/connectors/vendors/kommo/parse-delivery";

/**
 * The query parameter with the secret. Kommo does not sign deliveries, so the URL carries a secret that only Kommo and
 * we know.
 */
const KEY = "key";

const known = z.object({ _embedded: z.object({ webhooks: z.array(z.object({ destination: z.string() })) }) });
const stateSchema = z.object({ url: z.string() });

/**
 * https://www.amocrm.ru/developers/content/crm_platform/webhooks-api: one webhook per connection, identified by its
 * destination.
 */
export const KOMMO_INBOX: InboxDefinition = {
  webhook: {
    subscribe: async (service, { events, ...subscription }) => {
      const before = stateSchema.safeParse(subscription.state).data?.url;
      if (before !== undefined && before !== subscription.url)
        await remove(service, destinationOf(subscription, before));
      // Subscribing the same destination again replaces its events.
      await callKommo(service, {
        method: "POST",
        path: "/webhooks",
        json: {
          destination: destinationOf(subscription, subscription.url),
          settings: webhookSettingsOf(events),
        },
      });
      return { url: subscription.url };
    },
    unsubscribe: async (service, subscription) => {
      const url = stateSchema.safeParse(subscription.state).data?.url ?? subscription.url;
      await remove(service, destinationOf(subscription, url));
    },
    receive: ({ body, query }, { secret }) => {
      if (!isSameText(query.get(KEY) ?? "", secret)) {
        return { isGenuine: false, reason: `${KEY} in the URL is missing or wrong` };
      }
      return { isGenuine: true, events: parseDelivery(body) };
    },
  },
};

function destinationOf({ secret }: InboxSubscription, url: string): string {
  return `${url}?${KEY}=${secret}`;
}

/** Removes a webhook. Kommo returns an error if it does not exist, so we check first. */
async function remove(service: ServiceContext, destination: string): Promise<void> {
  const found = await callKommo(service, {
    method: "GET",
    path: "/webhooks",
    query: { "filter[destination]": destination },
  });
  const hooks = known.safeParse(found).data?._embedded.webhooks ?? [];
  if (!hooks.some((hook) => hook.destination === destination)) return;
  await callKommo(service, { method: "DELETE", path: "/webhooks", json: { destination } });
}
