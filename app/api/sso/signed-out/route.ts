import { signedOutRoute } from "#lib/api/auth/provider-sign-out";

export const GET = signedOutRoute;
