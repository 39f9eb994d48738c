import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { type ClaimedDelivery, claimDeliveries } from "#lib/domain/outbound-events/deliveries/claim-deliveries";
import { deliverMail } from "#lib/domain/outbound-events/deliveries/deliver-mail";
import { deliverWebhook } from "#lib/domain/outbound-events/deliveries/deliver-webhook";
import { settleDelivery } from "#lib/domain/outbound-events/deliveries/settle-delivery";
import { createMailer } from "#lib/domain/outbound-events/mail/mailer";
import { log } from "#lib/platform/config/log";
import { type Repeated, repeatWhenDue } from "#worker/chores/repeat-when-due";

const RETRY_MS = 1_000;
/** At the same time, per worker. */
const PLACES = 20;
const PLACES_PER_ENDPOINT = 4;

/**
 * Delivers events whenever it is woken. After a delivery, it looks for the next ones at once. An attempt in flight when the worker dies is repeated by another one with the same
 * webhook-id: at-least-once delivery, as webhook receivers expect.
 */
export function startOutboundEvents(send: SendRequest, lookMs: number | null = null): Repeated {
  const mailer = createMailer();
  const underWay = new Map<Promise<void>, string>();
  const repeated = repeatWhenDue({
    name: "looking for events to deliver",
    turn: look,
    retryMs: lookMs ?? RETRY_MS,
  });

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
        repeated.wake();
      });
    underWay.set(work, delivery.endpoint_id);
  }

  async function look(): Promise<number | null> {
    const free = PLACES - underWay.size;
    if (free > 0) (await claimDeliveries(free, busyEndpoints(underWay))).forEach(start);
    return lookMs;
  }

  return {
    wake: repeated.wake,
    stop: async () => {
      await repeated.stop();
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
