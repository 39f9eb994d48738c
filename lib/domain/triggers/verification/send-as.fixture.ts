import type { WebhookSenderName } from "#lib/contract/webhooks/senders";
import { SIGNED_BODIES } from "#lib/domain/triggers/verification/more-sender-samples.fixture";
import {
  bodyAt,
  SENDER_SAMPLES,
  type SenderSample,
  type WITH_CERTIFICATE,
} from "#lib/domain/triggers/verification/sender-samples.fixture";

/** The senders that have a sample delivery. */
export type SampledSender = Exclude<WebhookSenderName, (typeof WITH_CERTIFICATE)[number]>;
export const SAMPLED_SENDERS = Object.keys(SENDER_SAMPLES) as SampledSender[];

interface Sent {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * For tests: builds a service's delivery to an address.
 * @param at epoch seconds
 */
export async function sendAs(
  name: SampledSender,
  address: string,
  { at, secret, body }: { at: number; secret?: string; body?: string },
): Promise<Sent> {
  const sample: SenderSample = SENDER_SAMPLES[name];
  const signing = { secret: secret ?? sample.secret, at };
  const text = bodyAt(name, body ?? sample.body, signing);
  const url = sample.url?.(address, { ...signing, body: text }) ?? address;
  const headers = await sample.headers({ ...signing, body: text, url });
  return { url, headers: { "content-type": sample.contentType ?? "application/json", ...headers }, body: text };
}

/** For tests: returns the bodies of the same event sent again, and of another event. */
export function otherBodies(name: SampledSender): { again: string; other: string } {
  const { body, bodyOfRetry = body, otherBody = body.replaceAll("1", "9") }: SenderSample = SENDER_SAMPLES[name];
  return { again: bodyOfRetry, other: name in SIGNED_BODIES ? "2" : otherBody };
}
