import { postSignInChallenge } from "#lib/api/auth/sign-in-challenge-route";

export const dynamic = "force-dynamic";
export const POST = postSignInChallenge;
