const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** A wildcard needs at least two labels: `*.com` would allow everyone. */
const ANY_SUBDOMAIN = new RegExp(`^\\*\\.(?:${LABEL}\\.)+${LABEL}$`);
const WILDCARD = "*.";
/** Replaces `*` while the rest is parsed as a URL. */
const STAND_IN = "any.";
/** The scheme and the host of an address, if no template can change them. */
const LITERAL_ORIGIN = /^\s*(https?:\/\/[^/?#{}\\\s]+)(?=[/?#]|\s*$)/i;

/**
 * Parses an origin that may receive credentials, as a person writes it: `api.example.com`, `*.example.com`,
 * `http://crm.internal:8080`. The default scheme is https, because a secret must not travel in the clear unless someone
 * asks for it.
 * @returns scheme, host and port, or null if the text is not an origin
 */
export function parseAllowedOrigin(text: string): string | null {
  const written = text.trim().toLowerCase();
  const [, scheme = "https://", rest = ""] = /^(https?:\/\/)?(.*)$/.exec(written) ?? [];
  const isWildcard = rest.startsWith(WILDCARD);
  const url = URL.parse(scheme + (isWildcard ? STAND_IN + rest.slice(WILDCARD.length) : rest));
  if (url?.pathname !== "/" || url.username + url.password + url.search + url.hash !== "") return null;
  if (!isWildcard) return url.hostname.includes("*") ? null : url.origin;
  const host = url.hostname.slice(STAND_IN.length);
  if (!ANY_SUBDOMAIN.test(WILDCARD + host)) return null;
  return `${url.protocol}//${WILDCARD}${host}${url.port === "" ? "" : `:${url.port}`}`;
}

/** Returns whether a request to this URL may carry credentials for these origins: same scheme, host and port. */
export function isOriginAllowed(origins: readonly string[], url: URL): boolean {
  return origins.some((origin) => {
    if (origin === url.origin) return true;
    const [scheme = "", rest = ""] = origin.split("//");
    if (!rest.startsWith(WILDCARD) || scheme !== url.protocol) return false;
    return url.host.endsWith(rest.slice(1)) && url.host.length > rest.length - 1;
  });
}

/** Returns the scheme, host and port of an address whose rest may contain templates; null if a template decides them. */
export function literalOrigin(address: unknown): string | null {
  const [, written] = typeof address === "string" ? (LITERAL_ORIGIN.exec(address) ?? []) : [];
  return written === undefined ? null : (URL.parse(written)?.origin ?? null);
}
