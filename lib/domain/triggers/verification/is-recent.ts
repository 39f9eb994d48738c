import type { WebhookVerification } from "#lib/contract/webhooks/verification";
import { readWrittenMoment } from "#lib/core/schedules/read-written-date";
import type { DeliveryValues } from "#lib/domain/triggers/verification/delivery";

const DIGITS = { seconds: /^\d{1,12}$/, milliseconds: /^\d{1,15}$/ } as const;
const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})$/i;

type Timestamp = NonNullable<WebhookVerification["timestamp"]>;

/** Reports whether a delivery arrived within the tolerance of its timestamp, before or after; also if it has none. */
export function isRecent(
  { timestamp }: WebhookVerification,
  toleranceSeconds: number,
  values: DeliveryValues,
): boolean {
  if (timestamp === undefined) return true;
  const time = readTime(values.one(timestamp.from), timestamp.unit);
  return time !== null && Math.abs(values.delivery.receivedAt.getTime() - time) <= toleranceSeconds * 1_000;
}

/** Returns epoch milliseconds; null for a text that is not in the unit. */
function readTime(text: string | null, unit: Timestamp["unit"]): number | null {
  if (text === null) return null;
  if (unit !== "iso8601") return DIGITS[unit].test(text) ? Number(text) * (unit === "seconds" ? 1_000 : 1) : null;
  return ISO_8601.test(text) ? readWrittenMoment(text) : null;
}
