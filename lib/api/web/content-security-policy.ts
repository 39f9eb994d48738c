/**
 * What a page may load and do (CSP Level 3). Scripts run only with the nonce of their own answer, which Next.js puts on
 * those it writes, or when such a script loads them. Styles may stand inline: the canvas places its steps, and the code
 * editor and the notices write their own sheets.
 * @param nonce base64, new for every answer
 */
export function contentSecurityPolicy(nonce: string, isDevelopment = false): string {
  return [
    "default-src 'self'",
    // React's development build makes functions of text to show where an error came from.
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
