import { env } from "#lib/platform/config/env";

const LOCAL_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Whether a page of this origin may call the MCP endpoint (MCP specification, DNS rebinding): our own pages, and tools
 * on the user's own machine. Clients that are not browsers send no Origin.
 */
export function isAllowedOrigin(origin: string | null): boolean {
  if (!origin) return true;
  // The literal "null" of an opaque page is not a URL either.
  const url = URL.parse(origin);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  return LOCAL_HOSTS.has(url.hostname) || url.origin === new URL(env().PUBLIC_BASE_URL).origin;
}
