import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** Ranges of addresses. A single address is a range of its full length. */
export type NetworkList = readonly [base: Address, bits: number][];

/**
 * Parses addresses and CIDR ranges separated by commas.
 * @throws Error naming the first item that is neither
 */
export function parseNetworkList(text: string): NetworkList {
  const items = text.split(",").map((item) => item.trim());
  return items.filter((item) => item !== "").map(parseNetwork);
}

function parseNetwork(item: string): [Address, number] {
  const single = parseAddress(item);
  if (single) return [single, single.kind() === "ipv4" ? 32 : 128];
  // ipaddr.js also reads "10.1/8"; a list of trusted machines should say what it means.
  if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(item) && !ipaddr.IPv6.isValidCIDR(item)) {
    throw new Error(`"${item.slice(0, 100)}" is not an address or a CIDR range`);
  }
  return ipaddr.parseCIDR(item);
}

/**
 * Parses an address in its usual notation. An IPv4 address that a dual-stack socket reports as `::ffff:192.0.2.1` is an
 * IPv4 address.
 * @returns null for anything else
 */
export function parseAddress(text: string): Address | null {
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  return isAddress ? ipaddr.process(text) : null;
}

export function isInNetworks(address: Address, networks: NetworkList): boolean {
  return networks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}

/** Returns whether a host name or an address always means this machine. */
export function isLoopbackName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || parseAddress(name)?.range() === "loopback";
}

export function isLoopbackAddress(address: Address): boolean {
  return address.range() === "loopback";
}
