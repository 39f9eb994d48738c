import { env } from "#lib/config/env";

/** {webhook_base_url}/webhooks/<subscription_id> (contract, Inbound webhook). */
export function webhookUrl(subscriptionId: string): string {
  return `${env().WEBHOOK_BASE_URL ?? env().PUBLIC_BASE_URL}/webhooks/${subscriptionId}`;
}
