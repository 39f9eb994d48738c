import { isIP } from "node:net";
import { env } from "#lib/platform/config/env";

/** The name that browsers show when they ask for a passkey. */
export const PASSKEY_PARTY_NAME = "Signalbox";

/**
 * Returns how this installation names itself to authenticators (WebAuthn: relying party). Passkeys work only at the
 * address where they were created.
 */
export function passkeyParty(): { rpId: string; origin: string; isUsable: boolean } {
  const { hostname, origin, protocol } = new URL(env().PUBLIC_BASE_URL);
  // Browsers offer passkeys only in a secure context, and never for a numeric address.
  const isSecure = protocol === "https:" || hostname === "localhost" || hostname.endsWith(".localhost");
  return { rpId: hostname, origin, isUsable: isSecure && isIP(hostname.replace(/^\[|\]$/g, "")) === 0 };
}
