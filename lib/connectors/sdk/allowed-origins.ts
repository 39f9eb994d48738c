const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** Below two labels at least: `*.com` would be everybody. */
const ANY_SUBDOMAIN = new RegExp(`^\\*\\.(?:${LABEL}\\.)+${LABEL}$`);
const WILDCARD = "*.";
/** Stands in for `*` while the rest is read as a URL. */
const STAND_IN = "any.";

/**
 * Where credentials may go, as a person writes it: `api.example.com`, `*.example.com`, `http://crm.internal:8080`.
 * Without a scheme https is meant, because a secret must not travel in the clear unless somebody says so.
 * @returns scheme, host and port; null when it is none
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

/** Whether a request to this URL may carry credentials for these origins: same scheme, host and port. */
export function isOriginAllowed(origins: readonly string[], url: URL): boolean {
  return origins.some((origin) => {
    if (origin === url.origin) return true;
    const [scheme = "", rest = ""] = origin.split("//");
    if (!rest.startsWith(WILDCARD) || scheme !== url.protocol) return false;
    return url.host.endsWith(rest.slice(1)) && url.host.length > rest.length - 1;
  });
}
