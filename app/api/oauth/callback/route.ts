import { oauthCallbackRoute } from "#lib/surfaces/oauth-callback-route";

export const GET = oauthCallbackRoute;
