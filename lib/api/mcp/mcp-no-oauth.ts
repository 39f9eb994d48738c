import { ApiError } from "#lib/contract/api-error";
import { env } from "#lib/platform/config/env";
import { uuidv7 } from "#lib/support/ids";

const headersOf = () => ({ "cache-control": "no-store", "x-request-id": uuidv7() });

/**
 * What MCP clients look for below `/.well-known/` to log somebody in. There is nothing to find, on purpose: a client that
 * finds OAuth metadata demands a login even when it holds a good key. JSON, because clients parse what they get.
 */
export async function noOauthMetadata(): Promise<Response> {
  const error = new ApiError("NOT_FOUND", "There is no such document: this server has no OAuth, it uses API keys.");
  return Response.json(error.toBody(), { status: error.status, headers: headersOf() });
}

/** Clients that find no metadata still try to register here, and show their user the description (RFC 7591, 3.2.2). */
export async function refuseClientRegistration(): Promise<Response> {
  const description =
    `This server has no OAuth. Create an API key at ${env().PUBLIC_BASE_URL} (API keys) ` +
    "and send it with every request as: Authorization: Bearer svc_...";
  const body = { error: "access_denied", error_description: description };
  return Response.json(body, { status: 403, headers: headersOf() });
}
