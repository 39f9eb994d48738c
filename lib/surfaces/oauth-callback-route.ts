import { type FinishedAuthorization, finishAuthorization } from "#lib/connections/finish-authorization";
import { hasRole } from "#lib/contract/roles";
import { actorOf } from "#lib/operations/actor-of";
import { uuidv7 } from "#lib/support/ids";
import { findSession } from "#lib/surfaces/session";
import { webErrorResponse } from "#lib/surfaces/web-response";

/**
 * `GET /api/oauth/callback`: where a service sends a person back to who signed a connection in. It changes nothing but for
 * the one who began: the state is bound to their session's person and workspace. The answer is the page they came from.
 */
export async function oauthCallbackRoute(request: Request): Promise<Response> {
  try {
    const caller = await findSession(request.headers);
    if (!caller) return backTo({ outcome: "refused", reason: "signed_out", returnTo: "/connections" });
    if (!hasRole(caller.role, "editor")) {
      return backTo({ outcome: "refused", reason: "not_allowed", returnTo: "/connections" });
    }
    const { workspaceId, userId } = caller;
    const query = new URL(request.url).searchParams;
    return backTo(await finishAuthorization({ workspaceId, userId, actor: actorOf(caller), query }));
  } catch (error) {
    return webErrorResponse(error, uuidv7());
  }
}

function backTo(finished: FinishedAuthorization): Response {
  const url = new URL(finished.returnTo, "http://same.invalid");
  if (finished.outcome === "connected") url.searchParams.set("signed_in", finished.connectionId);
  else url.searchParams.set("sign_in_failed", finished.reason);
  // Relative: the browser knows best under which name it reaches us. The code in the address goes no further.
  const headers = {
    location: url.pathname + url.search,
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
  };
  return new Response(null, { status: 303, headers });
}
