import type { OutgoingRequest, OutgoingResponse } from "#lib/core/engine/outgoing-request";

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** The headers that another origin may see. Any other header may be a credential, whatever its name. */
const HARMLESS: ReadonlySet<string> = new Set([
  "accept",
  "accept-language",
  "content-type",
  "idempotency-key",
  "traceparent",
  "user-agent",
]);

/**
 * Returns the request that a redirect asks for (Fetch, HTTP-redirect fetch), or null if the response is not a redirect. The
 * requests of a protocol, which name how often they may be redirected, keep their method as RFC 9110, 15.4 allows: a GET in
 * place of a POST would be another question.
 */
export function redirected(outgoing: OutgoingRequest, response: OutgoingResponse): OutgoingRequest | null {
  const location = response.headers.location;
  if (!REDIRECTS.has(response.status) || location === undefined) return null;
  const target = URL.parse(location, outgoing.url);
  // checkTarget rejects a URL that cannot be parsed and reports it.
  if (!target) return { ...outgoing, url: location };
  const isSameOrigin = target.origin === new URL(outgoing.url).origin;
  const kept = Object.entries(outgoing.headers).filter(([name]) => isSameOrigin || HARMLESS.has(name));
  const isProtocol = outgoing.redirectsOnHost !== undefined && response.status !== 303;
  if (isProtocol || !becomesGet(outgoing.method, response.status)) {
    return { ...outgoing, url: target.href, headers: Object.fromEntries(kept) };
  }
  const headers = Object.fromEntries(kept.filter(([name]) => !name.startsWith("content-")));
  const { body: _, ...rest } = outgoing;
  return { ...rest, method: "GET", url: target.href, headers };
}

function becomesGet(method: string, status: number): boolean {
  if (status === 303) return method !== "GET" && method !== "HEAD";
  return (status === 301 || status === 302) && method === "POST";
}
