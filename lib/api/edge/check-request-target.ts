import { ApiError } from "#lib/contract/error/api-error";
import { isLoopbackName, parseAddress } from "#lib/platform/config/network-list";

/** Host names of addresses that reach this instance, in lowercase. */
export type HostNames = ReadonlySet<string>;

/** An orchestrator probes a container by its address. Only a name can be rebound, so an address is safe. */
const PROBES = /^\/(?:healthz|readyz|metrics)$/;
/** A name or an IPv4 address, or an IPv6 address in brackets, and a port. */
const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i;

/** Loopback names without parsing; `isLoopbackName` knows the others. */
const USUAL_LOOPBACK = ["localhost", "127.0.0.1", "::1"];

/** Returns the host names of this instance: those of its own addresses, and further ones of the operator. */
export function knownHosts(baseUrls: readonly (string | undefined)[], more: readonly string[]): HostNames {
  const names = baseUrls.flatMap((url) => (url === undefined ? [] : [hostnameOf(new URL(url).host)]));
  return new Set([...USUAL_LOOPBACK, ...names, ...more].flatMap((name) => (name ? [name.toLowerCase()] : [])));
}

/**
 * Checks that a request is for this instance and that its path and query can be decoded.
 * @param hosts the value of each Host header
 * @returns the path with its query
 * @throws ApiError BAD_REQUEST, `host_not_allowed`
 */
export function checkRequestTarget(url: string, hosts: readonly string[], known: HostNames): string {
  const [host, another] = hosts;
  // A proxy in front of us may have decided by the other one (RFC 9112, 3.2).
  if (another !== undefined) throw new ApiError("BAD_REQUEST", "The request has several Host headers. Send one.");
  const { path, authority } = splitTarget(url);
  // RFC 9112, 3.2: an invalid value is refused even where the target replaces it.
  if (authority !== null && hostnameOf(host ?? "") === null) {
    throw new ApiError("BAD_REQUEST", "The Host header is missing or invalid. Send the host of the address.");
  }
  assertDecodable(path);
  assertKnownHost(authority ?? host, path.split("?", 1)[0] ?? "", known);
  return path;
}

/** The absolute form is for proxies, but servers must accept it, and it replaces the Host header (RFC 9112, 3.2.2). */
function splitTarget(url: string): { path: string; authority: string | null } {
  // A fragment is never sent (RFC 9112, 3.2). Readers disagree on whether it is part of the path.
  if (url.includes("#")) throw new ApiError("BAD_REQUEST", "The request target contains a fragment. Leave it out.");
  if (url.startsWith("/")) return { path: url, authority: null };
  const absolute = /^https?:\/\/([^/?#]+)(\/[^?#]*)?(\?[^#]*)?$/i.exec(url);
  if (!absolute) throw new ApiError("BAD_REQUEST", "The request target must be a path, such as /healthz.");
  const [, authority = "", path = "/", query = ""] = absolute;
  return { path: path + query, authority };
}

/** Next.js answers 500 to some invalid escapes and 400 to others. */
function assertDecodable(path: string): void {
  if (!path.includes("%")) return;
  try {
    decodeURIComponent(path);
  } catch {
    throw new ApiError(
      "BAD_REQUEST",
      "The URL contains an invalid percent escape. Encode its path and query as UTF-8, for example é as %C3%A9.",
    );
  }
  // PostgreSQL refuses U+0000 in a text, and no path of ours contains it.
  if (/^[^?]*%00/.test(path)) throw new ApiError("BAD_REQUEST", "The path of the URL contains %00. Leave it out.");
}

/**
 * Refuses a page of another site whose name was pointed at our address (DNS rebinding): to the browser, it has the same
 * origin as we do.
 */
function assertKnownHost(host: string | undefined, pathname: string, known: HostNames): void {
  const name = hostnameOf(host ?? "");
  if (name !== null && (known.has(name) || isLoopbackName(name))) return;
  if (name !== null && PROBES.test(pathname) && parseAddress(name) !== null) return;
  throw new ApiError(
    "host_not_allowed",
    "This host name is not an address of this instance. Set PUBLIC_BASE_URL (or WEBHOOK_BASE_URL) to the address that people use, list further names in ALLOWED_HOSTS, and let proxies pass the Host header on.",
  );
}

/** @returns null if the text is not a host with an optional port */
function hostnameOf(host: string): string | null {
  const match = HOST.exec(host);
  const name = match?.[1] ?? match?.[2];
  return name === undefined ? null : name.toLowerCase().replace(/\.$/, "");
}
