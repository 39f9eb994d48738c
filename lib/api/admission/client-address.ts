import ipaddr from "ipaddr.js";
import { parseAddress } from "#lib/platform/config/network-list";

/**
 * Written by our own HTTP server for every request (lib/api/edge), in place of whatever the client sent: route handlers
 * cannot see the socket.
 */
export const CLIENT_ADDRESS_HEADER = "x-signalbox-client-address";
/** Present if a program on this machine connected to us directly, not through a proxy. */
export const LOCAL_CLIENT_HEADER = "x-signalbox-local-client";

/** Returns the network address a request came from. */
export function clientAddress(headers: Headers): string {
  return headers.get(CLIENT_ADDRESS_HEADER) ?? "unknown";
}

/** Returns whether a program on this machine sent the request, without a proxy in between. */
export function isLocalClient(headers: Headers): boolean {
  return headers.has(LOCAL_CLIENT_HEADER);
}

/**
 * Returns what a limit per source counts: the IPv4 address, or the /64 network of an IPv6 address, because one
 * subscriber controls a whole /64.
 */
export function clientSource(headers: Headers): string {
  return sourceOf(clientAddress(headers));
}

export function sourceOf(address: string): string {
  // Each request asks for its source once or twice, and parsing an address takes 1 µs.
  if (!address.includes(":")) return address;
  const parsed = parseAddress(address);
  if (parsed?.kind() !== "ipv6") return address;
  const network = new ipaddr.IPv6([...parsed.toByteArray().slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0]);
  return `${network.toString()}/64`;
}
