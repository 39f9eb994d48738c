import { getSignUp, postSignUp } from "#lib/api/auth/sign-up-route";

export const GET = getSignUp;
export const POST = postSignUp;
