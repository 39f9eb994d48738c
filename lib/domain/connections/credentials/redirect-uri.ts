import { env } from "#lib/platform/config/env";

/** Where services send people back to; it is registered there. */
export function redirectUri(): string {
  return `${env().PUBLIC_BASE_URL}/api/oauth/callback`;
}
