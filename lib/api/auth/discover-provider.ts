import { createRemoteJWKSet, type JWTVerifyGetKey } from "jose";
import { z } from "zod";
import type { OidcProvider } from "#lib/platform/config/oidc-provider-setting";
import { shareInProcess } from "#lib/support/share-in-process";

const documentSchema = z.object({
  issuer: z.string(),
  jwks_uri: z.url({ protocol: /^https?$/ }),
  end_session_endpoint: z.url({ protocol: /^https?$/ }).optional(),
});

interface DiscoveredProvider {
  /** Finds the key of a token. It reads the keys again if none of those it knows fits. */
  findKey: JWTVerifyGetKey;
  /** Where people sign out; null if the provider has no such page. */
  endSessionUrl: string | null;
}

const TIMEOUT_MS = 5_000;
/** Signing out must not ask the provider each time, and strangers must not be able to make us ask it. */
const VALID_MS = 10 * 60_000;
const known = shareInProcess("discoveredProviders", () => new Map<string, { at: number; found: DiscoveredProvider }>());

/** Returns the address of the discovery document (OpenID Connect Discovery 1.0, 4). */
export function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
}

/**
 * Reads what a provider publishes about itself, at most every ten minutes.
 * @throws Error if it cannot be read, or is of another issuer
 */
export async function discoverProvider({ issuer }: OidcProvider): Promise<DiscoveredProvider> {
  const before = known.get(issuer);
  if (before !== undefined && before.at > Date.now() - VALID_MS) return before.found;
  const answer = await fetch(discoveryUrl(issuer), { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`${discoveryUrl(issuer)} answered ${answer.status}`);
  const document = documentSchema.parse(await answer.json());
  if (document.issuer !== issuer) throw new Error(`${discoveryUrl(issuer)} is of the issuer ${document.issuer}`);
  const found = {
    findKey: createRemoteJWKSet(new URL(document.jwks_uri), { timeoutDuration: TIMEOUT_MS }),
    endSessionUrl: document.end_session_endpoint ?? null,
  };
  // The issuers are those of the setting, so the map stays small.
  known.set(issuer, { at: Date.now(), found });
  return found;
}
