import { type NextRequest, NextResponse } from "next/server";
import { contentSecurityPolicy } from "#lib/api/web/content-security-policy";

/** Matches pages only. Prefetched links have no scripts, and the runtime API, MCP and webhooks don't need a policy. */
export const config = {
  matcher: [
    {
      source:
        "/((?!api/|mcp|webhooks/|_next/|healthz|readyz|metrics|register|docs/signalbox|docs/search|icon\\.svg).*)",
      missing: [{ type: "header", key: "next-router-prefetch" }],
    },
  ],
};

const IS_HTTPS = process.env.PUBLIC_BASE_URL?.startsWith("https:") ?? false;

/** Gives each page a policy with its own nonce; Next.js reads it from the request and signs its scripts with it. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString("base64");
  const policy = contentSecurityPolicy(nonce, process.env.NODE_ENV === "development");
  const headers = new Headers(request.headers);
  headers.set("content-security-policy", policy);
  headers.set("x-nonce", nonce);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  if (IS_HTTPS) response.headers.set("strict-transport-security", "max-age=31536000");
  return response;
}
