import { getSignUp, postSignUp } from "#lib/surfaces/sign-up-route";

export const GET = getSignUp;
export const POST = postSignUp;
