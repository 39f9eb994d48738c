import { webErrorResponse } from "#lib/api/admission/web-response";
import { workspaceCookie } from "#lib/api/auth/enter-workspace-route";
import { findSession } from "#lib/api/auth/session";
import { actorOf } from "#lib/api/operations/define/actor-of";
import { ssoPath } from "#lib/contract/account/sso-path";
import { twoStepPath } from "#lib/contract/account/two-step-path";
import { hasRole } from "#lib/contract/workspace/roles";
import { type FinishedAuthorization, finishAuthorization } from "#lib/domain/connections/oauth/finish-authorization";
import { takeAuthorization } from "#lib/domain/connections/oauth/take-authorization";
import { uuidv7 } from "#lib/support/ids";

const NOWHERE = "/connections";

/**
 * Serves `GET /api/oauth/callback`: a service redirects here after a user signed a connection in. The state says who
 * started the sign-in and in which workspace; the session only shows that the same user is back. The answer redirects
 * to the page they came from.
 */
export async function oauthCallbackRoute(request: Request): Promise<Response> {
  try {
    const refused = (reason: string) => redirectTo(pathAfter({ outcome: "refused", reason, returnTo: NOWHERE }));
    const person = await findSession(request.headers);
    if (!person) return refused("signed_out");
    const query = new URL(request.url).searchParams;
    const begun = await takeAuthorization(person.caller.userId, query.get("state") ?? "");
    if (!begun) return refused("expired");
    const { workspaceId } = begun;
    // Not the workspace of the cookie: another tab may have switched it while the user was at the service.
    const found = await findSession(request.headers, workspaceId);
    if (!found || !hasRole(found.caller.role, "editor")) return refused("not_allowed");
    if (found.missing !== null) {
      const { returnTo } = begun.pending;
      const page = pathAfter({ outcome: "refused", reason: `${found.missing}_required`, returnTo });
      const pathOf = found.missing === "sso" ? ssoPath : twoStepPath;
      return redirectTo(pathOf({ workspaceId, returnTo: page }));
    }
    const { caller } = found;
    const finished = await finishAuthorization({ begun, userId: caller.userId, actor: actorOf(caller), query });
    return redirectTo(pathAfter(finished), workspaceCookie(workspaceId));
  } catch (error) {
    return webErrorResponse(error, uuidv7());
  }
}

/** Returns the page that the user came from, with the result. */
function pathAfter(finished: FinishedAuthorization): string {
  const url = new URL(finished.returnTo, "http://same.invalid");
  if (finished.outcome === "connected") url.searchParams.set("signed_in", finished.connectionId);
  else url.searchParams.set("sign_in_failed", finished.reason);
  return url.pathname + url.search;
}

/**
 * The URL is relative, because only the browser knows the name it reaches us by. The code in it is not passed on.
 * @param cookie selects the workspace of the page
 */
function redirectTo(location: string, cookie?: string): Response {
  const headers = {
    location,
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    ...(cookie === undefined ? {} : { "set-cookie": cookie }),
  };
  return new Response(null, { status: 303, headers });
}
