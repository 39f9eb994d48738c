import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * A port that belongs to the instance: of its web server, or of its database. No workflow reaches it, whatever
 * OUTBOUND_ALLOW lists: the web server trusts this machine with its metrics, and a database may trust its network.
 */
export interface OwnEndpoint {
  /** A name or an address; an address of this machine means all of them. */
  host: string;
  port: number;
}

/** The private addresses and names that the operator allows outgoing calls to reach: OUTBOUND_ALLOW, parsed. */
export interface OutboundPolicy {
  /** Host names in lower case. */
  names: ReadonlySet<string>;
  /** Single addresses, normalized. */
  addresses: ReadonlySet<string>;
  ranges: readonly [Address, number][];
  /** TRACEPARENT_HOSTS, parsed: names, and domains as `.example.com`; null is every host. */
  tracedHosts: readonly string[] | null;
  /** The ports of the instance itself, which no workflow reaches. */
  own: readonly OwnEndpoint[];
}

/** Cloud metadata services return credentials: no range opens them, only the address itself. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  "169.254.169.254",
  "169.254.170.2",
  "100.100.100.200",
  "192.0.0.192",
  "fd00:ec2::254",
]);

/** The range allocated to the public IPv6 internet. IPv4 in the old notation (`::7f00:1`) is outside of it. */
const PUBLIC_IPV6 = ipaddr.parseCIDR("2000::/3");

const LOOPBACK = ["127.0.0.1", "::1"];
const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;

/**
 * Parses OUTBOUND_ALLOW.
 * @param text addresses, CIDR ranges and host names, separated by commas
 * @param tracedHosts TRACEPARENT_HOSTS: the hosts that may learn the trace of a call
 * @throws Error naming the first item that is none of them
 */
export function parseOutboundAllow(text: string, tracedHosts = "*", own: readonly OwnEndpoint[] = []): OutboundPolicy {
  const names = new Set<string>();
  const addresses = new Set<string>();
  const ranges: [Address, number][] = [];
  for (const item of text.split(",").map((part) => part.trim().toLowerCase())) {
    if (item === "") continue;
    if (ipaddr.isValid(item)) addresses.add(ipaddr.parse(item).toString());
    else if (ipaddr.isValidCIDR(item)) ranges.push(ipaddr.parseCIDR(item));
    else if (NAME.test(item) && !/^[\d.]+$/.test(item)) names.add(item);
    else throw new Error(`OUTBOUND_ALLOW: "${item}" is not an address, a CIDR range or a host name`);
  }
  // "localhost" resolves to either family, so one implies the other.
  if (LOOPBACK.some((address) => addresses.has(address))) for (const address of LOOPBACK) addresses.add(address);
  return { names, addresses, ranges, tracedHosts: parseTracedHosts(tracedHosts), own };
}

function parseTracedHosts(text: string): readonly string[] | null {
  if (text === "*") return null;
  const items = text.split(",").map((part) => part.trim().toLowerCase());
  return items.filter((item) => item !== "none").map((item) => item.replace(/^\*/, ""));
}

/** Whether a request to the host may carry `traceparent` (decisions, Traces). */
export function mayTrace({ tracedHosts }: OutboundPolicy, hostname: string): boolean {
  return (
    tracedHosts === null ||
    tracedHosts.some((item) => (item.startsWith(".") ? hostname.endsWith(item) : hostname === item))
  );
}

/**
 * Returns whether a connection may go to this address. Public unicast is allowed; everything else (loopback, private,
 * link-local, carrier-grade NAT, mapped and translated IPv4, multicast, reserved) only if the operator listed it.
 * @param hostname the name it was resolved from, or the address itself
 */
export function isAddressAllowed(policy: OutboundPolicy, address: string, hostname: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const normal = parsed.toString();
  if (policy.addresses.has(normal)) return true;
  if (METADATA_ADDRESSES.has(normal)) return false;
  if (isPublic(parsed)) return true;
  if (policy.names.has(hostname.toLowerCase())) return true;
  return policy.ranges.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits));
}

function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || address.match(PUBLIC_IPV6);
}

/** Returns whether the operator listed exactly this host, as a name or as an address. */
export function isHostListed(policy: OutboundPolicy, hostname: string): boolean {
  if (policy.names.has(hostname.toLowerCase())) return true;
  if (!ipaddr.isValid(hostname)) return false;
  const parsed = ipaddr.parse(hostname);
  if (policy.addresses.has(parsed.toString())) return true;
  return policy.ranges.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits));
}
