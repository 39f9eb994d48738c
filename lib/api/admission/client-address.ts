/**
 * The network address a request came from, for throttles. The last entry of x-forwarded-for is the one that our own
 * server or the nearest proxy wrote; those before it are whatever the client claims.
 */
export function clientAddress(forwardedFor: string | null | undefined): string {
  return forwardedFor?.split(",").at(-1)?.trim() || "unknown";
}
