import { postRedeemedReset } from "#lib/api/auth/password-reset-route";

export const POST = postRedeemedReset;
