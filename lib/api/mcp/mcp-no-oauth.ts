import { ApiError } from "#lib/contract/error/api-error";
import { env } from "#lib/platform/config/env";
import { uuidv7 } from "#lib/support/ids";

const headersOf = () => ({ "cache-control": "no-store", "x-request-id": uuidv7() });

/**
 * Answers the paths below `/.well-known/` that MCP clients request to sign a user in. Nothing is there on purpose: a
 * client that finds OAuth metadata requires a login even if it has a valid key. The answer is JSON, because clients
 * parse it.
 */
export async function noOauthMetadata(): Promise<Response> {
  const error = new ApiError(
    "NOT_FOUND",
    "There is no such document. This server does not use OAuth; it uses API keys.",
  );
  return Response.json(error.toBody(), { status: error.status, headers: headersOf() });
}

/** Clients that find no metadata still try to register here, and show the description to the user (RFC 7591, 3.2.2). */
export async function refuseClientRegistration(): Promise<Response> {
  const description =
    `This server does not use OAuth. Create an API key at ${env().PUBLIC_BASE_URL} (API keys) ` +
    "and send it with every request as: Authorization: Bearer svc_...";
  const body = { error: "access_denied", error_description: description };
  return Response.json(body, { status: 403, headers: headersOf() });
}
