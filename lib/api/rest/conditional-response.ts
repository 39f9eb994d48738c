import { hash } from "node:crypto";

interface ConditionalAnswer {
  status: number;
  headers: Headers;
  /** The entity tags that the caller knows, as `If-None-Match` has them. */
  knownTags: string | undefined;
}

/**
 * Creates the answer to a read. An operation that knows a tag before it reads has set it and the status; every other
 * answer is tagged by its body. A caller that knows the tag gets 304 without a body (RFC 9110, If-None-Match).
 */
export function conditionalResponse(output: unknown, { status, headers, knownTags }: ConditionalAnswer): Response {
  if (status === 304) return new Response(null, { status, headers });
  const body = JSON.stringify(output);
  if (!headers.has("etag")) {
    const tag = `"${hash("sha1", body, "base64url")}"`;
    headers.set("etag", `W/${tag}`);
    if (knownTags?.includes(tag) || knownTags === "*") return new Response(null, { status: 304, headers });
  }
  headers.set("content-type", "application/json");
  return new Response(body, { status, headers });
}
