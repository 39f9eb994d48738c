import type { LookupAddress } from "node:dns";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import type { NameLookup } from "#lib/connectors/look-up-in-turn";
import type { OwnEndpoint } from "#lib/connectors/sdk/outbound-policy";

/** Returns the endpoint of a URL such as `postgres://host:port/name`, or null if it has no host. */
export function endpointOf(url: string | undefined, defaultPort: number): OwnEndpoint | null {
  const parsed = url === undefined ? null : URL.parse(url);
  if (!parsed || parsed.hostname === "") return null;
  return { host: parsed.hostname.replace(/^\[|\]$/g, ""), port: Number(parsed.port) || defaultPort };
}

/**
 * Returns whether a connection to this address and port would reach the instance itself.
 * @param address as the socket would connect to it
 */
export async function isOwnEndpoint(
  own: readonly OwnEndpoint[],
  { address, port }: { address: string; port: number },
  resolve: NameLookup,
): Promise<boolean> {
  const target = normalOf(address);
  for (const endpoint of own) {
    if (endpoint.port !== port) continue;
    const addresses = (await addressesOf(endpoint.host, resolve)).map(normalOf);
    if (addresses.includes(target)) return true;
    if (addresses.some(isOfThisMachine) && isOfThisMachine(target)) return true;
  }
  return false;
}

async function addressesOf(host: string, resolve: NameLookup): Promise<string[]> {
  if (ipaddr.isValid(host)) return [host];
  const found = await new Promise<LookupAddress[]>((done) => {
    // A name that no longer resolves leads nowhere, for a workflow as for the instance.
    resolve(host, { all: true }, (error, addresses) => done(error ? [] : addresses));
  });
  return found.map(({ address }) => address);
}

/** Writes an address in one way: `::ffff:127.0.0.1` is 127.0.0.1, and a zone names only the interface. */
function normalOf(address: string): string {
  const bare = address.split("%", 1)[0] ?? address;
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : address;
}

function isOfThisMachine(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const range = ipaddr.parse(address).range();
  // A connection to the unspecified address reaches this machine.
  if (range === "loopback" || range === "unspecified") return true;
  const ours = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return ours.some((one) => normalOf(one.address) === address);
}
