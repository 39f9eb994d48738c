import { findConnector } from "#lib/connectors/registry";
import type { ConnectionValues } from "#lib/connectors/sdk/define-connector";
import { env } from "#lib/platform/config/env";

/**
 * Where a connection's service is reached, by the names its connector gives: the vendor's addresses, or those below the
 * server that the operator put in its place (CONNECTOR_BASE_URLS), each with the path it has at the vendor.
 */
export function serviceAddresses(connector: string, values: ConnectionValues): Record<string, string> {
  const addresses = findConnector(connector)?.addresses ?? {};
  return Object.fromEntries(
    Object.entries(addresses).map(([name, address]) => {
      return [name, placedAddress(connector, typeof address === "string" ? address : address(values))];
    }),
  );
}

/** A URL of the vendor's, or the same at the server in its place. */
export function placedAddress(connector: string, url: string): string {
  const other = env().CONNECTOR_BASE_URLS[connector];
  if (other === undefined) return url;
  const { pathname, search } = new URL(url);
  return `${other}${pathname === "/" ? "" : pathname}${search}`;
}
