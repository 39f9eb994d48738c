import { giveBackSignInRequest, takeSignInRequest } from "#lib/api/admission/limit-source";
import { readBody } from "#lib/api/admission/read-body";
import { webErrorResponse } from "#lib/api/admission/web-response";
import { LogoutTokenError, verifyLogoutToken } from "#lib/api/auth/verify-logout-token";
import { findOidcProvider } from "#lib/domain/accounts/list-sign-in-services";
import { endProviderSessions } from "#lib/domain/accounts/single-sign-on/end-provider-sessions";
import { log } from "#lib/platform/config/log";
import { uuidv7 } from "#lib/support/ids";

/** A token has a few claims. */
const MAX_BYTES = 16_384;

interface LogoutContext {
  params: Promise<{ provider: string }>;
}

/**
 * Serves `POST /api/sso/logout/<provider>` with the form field `logout_token`: an OpenID Connect provider ends sessions
 * that started from it (OpenID Connect Back-Channel Logout 1.0). 200, or 400 with the reason in the format of OAuth.
 */
export async function postBackchannelLogout(request: Request, { params }: LogoutContext): Promise<Response> {
  const requestId = uuidv7();
  try {
    takeSignInRequest(request.headers);
    const { provider } = await params;
    const body = await readBody(request, MAX_BYTES);
    const ended = await endSessionsOf(provider, new URLSearchParams(body.toString("utf8")));
    // A provider ends the sessions of a whole company from one address.
    giveBackSignInRequest(request.headers);
    log.info({ provider, ended }, "a provider ended sessions");
    return answer(requestId, null, 200);
  } catch (error) {
    if (!(error instanceof LogoutTokenError)) return webErrorResponse(error, requestId);
    log.warn({ err: error }, "a back-channel logout was refused");
    return answer(requestId, { error: "invalid_request", error_description: error.message }, 400);
  }
}

async function endSessionsOf(name: string, form: URLSearchParams): Promise<number> {
  const setting = findOidcProvider(name);
  if (setting === null) throw new LogoutTokenError("No provider has this name.");
  const token = form.get("logout_token");
  if (token === null) throw new LogoutTokenError("logout_token: is missing");
  const logout = await verifyLogoutToken(setting, token).catch((error: unknown) => {
    if (error instanceof LogoutTokenError) throw error;
    // The specification has no other status for a logout that failed.
    throw new LogoutTokenError("The keys of the provider can't be read.", { cause: error });
  });
  const ended = await endProviderSessions(setting, logout);
  if (ended === null) throw new LogoutTokenError("jti: was used before");
  return ended;
}

function answer(requestId: string, body: object | null, status: number): Response {
  const headers = { "cache-control": "no-store", "x-request-id": requestId };
  return body === null ? new Response(null, { status, headers }) : Response.json(body, { status, headers });
}
