import { z } from "zod";
import { discoverProvider } from "#lib/api/auth/discover-provider";
import { findOidcProvider } from "#lib/domain/accounts/list-sign-in-services";
import type { ProviderSession } from "#lib/domain/accounts/provider-session";
import { openSignInToken, sealSignInToken } from "#lib/domain/accounts/two-step/sign-in-token";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { sameSitePath } from "#lib/support/same-site-path";

const SIGN_IN = "/sign-in";
const stateSchema = z.object({ return_to: z.string() });

/**
 * Returns the address at which people also sign out at the provider that their session started from (OpenID Connect
 * RP-Initiated Logout 1.0), or null if they stay signed in there.
 * @param returnTo the path to open afterwards
 */
export async function findProviderSignOut(origin: ProviderSession, returnTo: string): Promise<string | null> {
  const setting = findOidcProvider(origin.provider);
  if (setting === null || setting.sign_out === "local") return null;
  try {
    const { endSessionUrl } = await discoverProvider(setting);
    if (endSessionUrl === null) return null;
    const url = new URL(endSessionUrl);
    if (origin.idToken !== null) url.searchParams.set("id_token_hint", origin.idToken);
    url.searchParams.set("client_id", setting.client_id);
    url.searchParams.set("post_logout_redirect_uri", `${env().PUBLIC_BASE_URL}/api/sso/signed-out`);
    url.searchParams.set("state", sealSignInToken("signed_out", { return_to: returnTo }));
    return url.toString();
  } catch (error) {
    // The session here is over. The person must not be stuck because the provider is down.
    log.warn({ err: error, provider: setting.name }, "people are signed out here, but not at the provider");
    return null;
  }
}

/** Serves `GET /api/sso/signed-out`: the provider redirects here after a sign-out, with the state that we sent. */
export function signedOutRoute(request: Request): Response {
  const state = new URL(request.url).searchParams.get("state") ?? "";
  const left = openSignInToken("signed_out", state, stateSchema);
  const location = sameSitePath(left?.data.return_to) ?? SIGN_IN;
  const headers = { location, "cache-control": "no-store", "referrer-policy": "no-referrer" };
  return new Response(null, { status: 303, headers });
}
