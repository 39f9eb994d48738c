import { createHmac, randomBytes } from "node:crypto";
import { EVENT_LIMITS } from "#lib/contract/event/outbound-event";
import { seal, unseal } from "#lib/platform/secrets/seal";

/** Standard Webhooks: 24 to 64 bytes. */
const SECRET_BYTES = 32;
const PREFIX = "whsec_";

/** The sealed content of an endpoint. The former secret also signs for a while, so that receivers can switch. */
interface SigningSecret {
  current: string;
  former?: { secret: string; until: string };
}

/** Creates a new secret and its sealed form. */
export function createSecret(workspaceId: string, endpointId: string): { secret: string; sealed: Buffer<ArrayBuffer> } {
  const current = PREFIX + randomBytes(SECRET_BYTES).toString("base64");
  return {
    secret: current,
    sealed: seal(workspaceId, endpointSecretContext(endpointId), { current } satisfies SigningSecret),
  };
}

/** Replaces the sealed secret with a new one. */
export function replaceSecret(
  workspaceId: string,
  endpointId: string,
  sealed: Uint8Array,
  now: Date,
): { secret: string; sealed: Buffer<ArrayBuffer> } {
  const { current: old } = unseal<SigningSecret>(workspaceId, endpointSecretContext(endpointId), sealed);
  const { secret } = createSecret(workspaceId, endpointId);
  const until = new Date(now.getTime() + EVENT_LIMITS.oldSecretHours * 3_600_000).toISOString();
  const next: SigningSecret = { current: secret, former: { secret: old, until } };
  return { secret, sealed: seal(workspaceId, endpointSecretContext(endpointId), next) };
}

interface SignedContent {
  workspaceId: string;
  endpointId: string;
  sealed: Uint8Array;
  /** The event's id: equal for every attempt. */
  id: string;
  now: Date;
  body: string;
}

/** Returns the three headers of Standard Webhooks, which sign id, second and body. */
export function signEvent({ workspaceId, endpointId, sealed, id, now, body }: SignedContent): Record<string, string> {
  const { current, former } = unseal<SigningSecret>(workspaceId, endpointSecretContext(endpointId), sealed);
  const secrets = former && now < new Date(former.until) ? [current, former.secret] : [current];
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

/** The context that binds a signing secret to its endpoint. */
export function endpointSecretContext(endpointId: string): string {
  return `event_endpoint|${endpointId}`;
}
