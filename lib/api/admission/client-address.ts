/**
 * Returns the network address a request came from, for throttles. Our own server or the nearest proxy wrote the last
 * entry of x-forwarded-for; the client can forge all entries before it.
 */
export function clientAddress(forwardedFor: string | null | undefined): string {
  return forwardedFor?.split(",").at(-1)?.trim() || "unknown";
}
