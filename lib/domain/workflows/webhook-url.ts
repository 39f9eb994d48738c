import { env } from "#lib/platform/config/env";

/** Builds {webhook_base_url}/webhooks/<subscription_id> (contract, Triggers). */
export function webhookUrl(subscriptionId: string): string {
  return `${env().WEBHOOK_BASE_URL ?? env().PUBLIC_BASE_URL}/webhooks/${subscriptionId}`;
}
