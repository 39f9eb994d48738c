/** The headers that describe the content and the limits of a service. They are kept first when a response has too many. */
const FIRST: ReadonlySet<string> = new Set([
  "cache-control",
  "content-disposition",
  "content-language",
  "content-type",
  "date",
  "etag",
  "expires",
  "last-modified",
  "link",
  "location",
  "retry-after",
  "x-request-id",
  "x-correlation-id",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-total-count",
]);
/** Headers of the connection, not of the response (RFC 9110, 7.6.1). */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
const MAX_HEADERS = 100;
const MAX_CHARACTERS = 32_768;

/** Returns the headers of a response as a step outputs them: all of them, up to 100 and 32 KiB. */
export function outputHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const given = Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name));
  let [left, characters] = [MAX_HEADERS, MAX_CHARACTERS];
  const kept = new Set<string>();
  for (const [name, value] of given.toSorted(([one], [other]) => Number(FIRST.has(other)) - Number(FIRST.has(one)))) {
    const size = name.length + value.length;
    if (left === 0 || size > characters) continue;
    left -= 1;
    characters -= size;
    kept.add(name);
  }
  return Object.fromEntries(given.filter(([name]) => kept.has(name)));
}
