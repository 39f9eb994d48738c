import { postPasswordReset } from "#lib/api/auth/password-reset-route";

export const POST = postPasswordReset;
