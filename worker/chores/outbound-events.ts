import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { type ClaimedDelivery, claimDeliveries } from "#lib/domain/outbound-events/deliveries/claim-deliveries";
import { deliverMail } from "#lib/domain/outbound-events/deliveries/deliver-mail";
import { deliverWebhook } from "#lib/domain/outbound-events/deliveries/deliver-webhook";
import { settleDelivery } from "#lib/domain/outbound-events/deliveries/settle-delivery";
import { createMailer } from "#lib/domain/outbound-events/mail/mailer";
import { log } from "#lib/platform/config/log";

/** How soon a new event is found; after a delivery the next ones are looked for at once. */
const LOOK_MS = 1_000;
/** At the same time, per worker. */
const PLACES = 20;
const PLACES_PER_ENDPOINT = 4;

/**
 * Delivers events from now on. An attempt in flight when the worker dies is repeated by another one with the same
 * webhook-id: at-least-once delivery, as webhook receivers expect.
 */
export function startOutboundEvents(send: SendRequest, lookMs = LOOK_MS): { stop(): Promise<void> } {
  const mailer = createMailer();
  const underWay = new Map<Promise<void>, string>();
  let timer: NodeJS.Timeout | null = setTimeout(turn, lookMs);
  let looking: Promise<void> = Promise.resolve();

  async function attempt(delivery: ClaimedDelivery): Promise<void> {
    const isMail = delivery.kind === "email";
    const result = isMail ? await deliverMail(delivery, mailer?.send ?? null) : await deliverWebhook(delivery, send);
    await settleDelivery(delivery, result);
  }

  function start(delivery: ClaimedDelivery): void {
    const work = attempt(delivery)
      .catch((error: unknown) => log.warn({ err: error, delivery: delivery.id }, "a delivery was not recorded"))
      .finally(() => {
        underWay.delete(work);
        if (timer) next(0);
      });
    underWay.set(work, delivery.endpoint_id);
  }

  async function look(): Promise<void> {
    const free = PLACES - underWay.size;
    if (free <= 0) return;
    const claimed = await claimDeliveries(free, busyEndpoints(underWay));
    claimed.forEach(start);
  }

  function next(afterMs: number): void {
    if (timer) clearTimeout(timer);
    timer = setTimeout(turn, afterMs);
  }

  function turn(): void {
    looking = looking
      .then(look)
      .catch((error: unknown) => log.warn({ err: error }, "looking for events to deliver failed"))
      .then(() => {
        if (timer) next(lookMs);
      });
  }

  return {
    stop: async () => {
      if (timer) clearTimeout(timer);
      timer = null;
      await looking;
      await Promise.all(underWay.keys());
      mailer?.close();
    },
  };
}

function busyEndpoints(underWay: ReadonlyMap<unknown, string>): string[] {
  const counts = new Map<string, number>();
  for (const id of underWay.values()) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].flatMap(([id, count]) => (count >= PLACES_PER_ENDPOINT ? [id] : []));
}
