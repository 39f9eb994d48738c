import { env } from "#lib/platform/config/env";

/** Builds {webhook_base_url}/webhooks/<subscription_id> (contract, Triggers). */
export function webhookUrl(subscriptionId: string): string {
  return `${outsideUrl()}/webhooks/${subscriptionId}`;
}

/** Returns the address of a webhook or a form; null for a trigger that has none. */
export function triggerUrl(kind: string, subscriptionId: string): string | null {
  if (kind === "form") return `${outsideUrl()}/forms/${subscriptionId}`;
  return kind === "webhook" ? webhookUrl(subscriptionId) : null;
}

function outsideUrl(): string {
  return env().WEBHOOK_BASE_URL ?? env().PUBLIC_BASE_URL;
}
