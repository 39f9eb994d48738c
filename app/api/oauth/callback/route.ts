import { oauthCallbackRoute } from "#lib/api/auth/oauth-callback-route";

export const GET = oauthCallbackRoute;
