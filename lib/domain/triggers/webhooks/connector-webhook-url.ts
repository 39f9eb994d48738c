import { webhookUrl } from "#lib/domain/workflows/webhook-url";
import { env } from "#lib/platform/config/env";

/** Builds the address to which a service sends the events of a connection's triggers. */
export function connectorWebhookUrl(listenerId: string): string {
  return webhookUrl(`connectors/${listenerId}`);
}

const LOCAL_NAME = /^(?:localhost|.*\.(?:localhost|local|internal|test)|[\d.]+|\[.*\])$/;

/**
 * Reports whether outside services can call this installation, as far as the settings show: a webhook address is
 * configured, or the public one is https with a host name.
 */
export function isReachable(): boolean {
  const { WEBHOOK_BASE_URL, PUBLIC_BASE_URL } = env();
  if (WEBHOOK_BASE_URL !== undefined) return true;
  const { protocol, hostname } = new URL(PUBLIC_BASE_URL);
  return protocol === "https:" && !LOCAL_NAME.test(hostname);
}
