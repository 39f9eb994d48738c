import { env } from "#lib/platform/config/env";

/** Returns the address to which services send people back; it is registered there. */
export function redirectUri(): string {
  return `${env().PUBLIC_BASE_URL}/api/oauth/callback`;
}
