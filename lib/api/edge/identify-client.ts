import type { IncomingMessage } from "node:http";
import { CLIENT_ADDRESS_HEADER, LOCAL_CLIENT_HEADER } from "#lib/api/admission/client-address";
import { isInNetworks, isLoopbackAddress, type NetworkList, parseAddress } from "#lib/platform/config/network-list";

/** What proxies add. A request without any of them came from its sender directly. */
const FORWARDING = ["x-forwarded-for", "forwarded", "x-real-ip", "via", "x-forwarded-host", "x-forwarded-proto"];
/** Next.js and libraries would believe these; addresses of this instance come from its settings. */
const DROPPED = ["x-forwarded-for", "forwarded", "x-forwarded-host", "x-forwarded-port", "x-forwarded-proto"];

/**
 * Replaces what a request says about its sender with what we know, in headers that only this server writes.
 * `X-Forwarded-For` counts only if a trusted proxy sent the request. `Forwarded` never counts: a proxy writes one of the
 * two and passes on the other as the client sent it, so reading both would let clients choose their address.
 */
export function identifyClient(incoming: IncomingMessage, trusted: NetworkList): void {
  const { headers, socket } = incoming;
  const peer = peerOf(socket);
  const isDirect = !FORWARDING.some((name) => headers[name] !== undefined);
  const forwarded = String(headers["x-forwarded-for"] ?? "");
  for (const name of DROPPED) delete headers[name];
  // Set by Next.js to the host that the request names, if it is missing; so is the address, to the socket's.
  delete headers[CLIENT_ADDRESS_HEADER];
  delete headers[LOCAL_CLIENT_HEADER];
  if (peer === null) return;
  const isTrusted = trusted.length > 0 && isInNetworks(peer.parsed, trusted);
  const address = (isTrusted ? findClient(forwarded, trusted) : null) ?? peer.address;
  headers[CLIENT_ADDRESS_HEADER] = address;
  headers["x-forwarded-for"] = address;
  if (isDirect && peer.isLoopback) headers[LOCAL_CLIENT_HEADER] = "true";
}

interface Peer {
  parsed: NonNullable<ReturnType<typeof parseAddress>>;
  address: string;
  isLoopback: boolean;
}

/** A connection carries many requests, and parsing its address costs more than the rest of this file. */
const peers = new WeakMap<object, Peer | null>();

function peerOf(socket: IncomingMessage["socket"]): Peer | null {
  const known = peers.get(socket);
  if (known !== undefined) return known;
  const parsed = parseAddress(withoutZone(socket.remoteAddress ?? ""));
  const peer = parsed && { parsed, address: parsed.toString(), isLoopback: isLoopbackAddress(parsed) };
  peers.set(socket, peer);
  return peer;
}

/**
 * Returns the client that a chain of trusted proxies reports: each appended the address it was called from, so the
 * first entry from the right that is not a trusted proxy is the client. Entries before it can be forged.
 * @returns null if the list is empty
 */
function findClient(forwarded: string, trusted: NetworkList): string | null {
  let found: string | null = null;
  for (const entry of forwarded.split(",").toReversed()) {
    const address = parseAddress(withoutZone(withoutPort(entry.trim())));
    // A trusted proxy wrote something else, such as "unknown": the nearest known machine is the source.
    if (address === null) return found;
    found = address.toString();
    if (!isInNetworks(address, trusted)) return found;
  }
  return found;
}

/** Some proxies append `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
}

/** The zone of a link-local address names one of our own network interfaces: `fe80::1%eth0`. */
function withoutZone(address: string): string {
  return address.split("%", 1)[0] ?? "";
}
