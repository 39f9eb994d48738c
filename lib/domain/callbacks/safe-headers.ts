import { LIMITS } from "#lib/contract/limits";

const KEPT: ReadonlySet<string> = new Set(["content-type", "user-agent", "traceparent", "idempotency-key"]);
/** Facts about the sender, such as the id of an event. Secrets and what proxies add are left out. */
const CUSTOM = /^x-/;
const LEFT_OUT =
  /auth|token|secret|signature|password|passwd|credential|cookie|session|api-?key|^x-(?:forwarded|real)-/;

/** Returns the headers of a request that a run may read and its journal may store. */
export function safeHeaders(headers: Headers): Record<string, string> {
  const kept = [...headers].filter(([name]) => KEPT.has(name) || (CUSTOM.test(name) && !LEFT_OUT.test(name)));
  const shown = kept.slice(0, LIMITS.callbackHeaders);
  return Object.fromEntries(shown.map(([name, value]) => [name, value.slice(0, LIMITS.callbackHeaderCharacters)]));
}
