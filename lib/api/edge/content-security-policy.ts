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
