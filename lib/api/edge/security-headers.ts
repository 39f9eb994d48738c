import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

/** What programs call and what pages load; everything else is a page. */
const NOT_A_PAGE =
  /^\/(?:api\/|mcp$|webhooks\/|forms\/|callbacks\/|_next\/|\.well-known\/|(?:healthz|readyz|metrics|register|icon\.svg)$|docs\/(?:signalbox\.ts|search\.json)$)/;
/** Nothing in such an answer may load or run anything, if a browser shows it at all. */
const NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Returns the headers of every response, from routes, Next.js or this server. */
export function commonSecurityHeaders(isHttps: boolean): [name: string, value: string][] {
  return [
    ["x-content-type-options", "nosniff"],
    ["x-frame-options", "DENY"],
    ["referrer-policy", "same-origin"],
    ["cross-origin-opener-policy", "same-origin"],
    ["permissions-policy", "camera=(), geolocation=(), microphone=()"],
    ["content-security-policy", NO_CONTENT_POLICY],
    ...(isHttps ? [["strict-transport-security", "max-age=31536000"] as [string, string]] : []),
  ];
}

/**
 * Gives a page a policy with its own nonce. Next.js reads it from the request and signs its scripts with it; the layout
 * reads the nonce for the script that sets the theme. Clients cannot choose either.
 */
export function addPagePolicy(incoming: IncomingMessage, outgoing: ServerResponse, isDevelopment: boolean): void {
  const { headers } = incoming;
  delete headers["content-security-policy"];
  delete headers["content-security-policy-report-only"];
  delete headers["x-nonce"];
  // A prefetched page has no scripts.
  if (headers["next-router-prefetch"] !== undefined || NOT_A_PAGE.test(pathOf(incoming))) return;
  const nonce = randomBytes(18).toString("base64");
  const policy = contentSecurityPolicy(nonce, isDevelopment);
  headers["content-security-policy"] = policy;
  headers["x-nonce"] = nonce;
  outgoing.setHeader("content-security-policy", policy);
}

function pathOf({ url = "/" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "";
}

/**
 * Returns what a page may load and do (CSP Level 3). Scripts run only with the nonce of their own answer, which Next.js
 * puts on those it writes, or if such a script loads them. Styles may be inline: the canvas positions its steps, and
 * the code editor and the notices write their own style sheets.
 * @param nonce base64, new for every answer
 */
export function contentSecurityPolicy(nonce: string, isDevelopment = false): string {
  return [
    "default-src 'self'",
    // React's development build evaluates text as code to show where an error came from.
    `script-src 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${isDevelopment ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
