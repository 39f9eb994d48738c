import { findConnector } from "#lib/connectors/registry";
import type { ConnectionValues } from "#lib/connectors/sdk/define-connector";
import { env } from "#lib/platform/config/env";

/**
 * Returns the addresses of a connection's service by name: the vendor's addresses, or the same paths on the server that
 * replaces them (CONNECTOR_BASE_URLS).
 */
export function serviceAddresses(connector: string, values: ConnectionValues): Record<string, string> {
  const addresses = findConnector(connector)?.addresses ?? {};
  return Object.fromEntries(
    Object.entries(addresses).map(([name, address]) => {
      return [name, placedAddress(connector, typeof address === "string" ? address : address(values))];
    }),
  );
}

/** Returns a URL of the vendor, moved to the replacing server if there is one. */
export function placedAddress(connector: string, url: string): string {
  const other = env().CONNECTOR_BASE_URLS[connector];
  if (other === undefined) return url;
  const { pathname, search } = new URL(url);
  return `${other}${pathname === "/" ? "" : pathname}${search}`;
}
