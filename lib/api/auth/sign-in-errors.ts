import { log } from "#lib/platform/config/log";

/** The `error` that `signIn(..., { redirect: false })` returns to the sign-in page. */
export const SIGN_IN_ERRORS = {
  /** next-auth's own code if `authorize` returns null. */
  refused: "CredentialsSignin",
  /** Followed by the seconds to wait. */
  throttled: "TooManyAttempts",
  noWorkspace: "NoWorkspace",
  inviteRefused: "InviteRefused",
  unverified: "UnverifiedEmail",
  closed: "SignUpClosed",
  /** Followed by the ticket of the second step. */
  secondFactor: "SecondFactorNeeded",
  expired: "SignInExpired",
  /** A server error. The log has the cause. */
  failed: "SignInFailed",
} as const;

/** A refusal whose message next-auth passes to the browser. */
export class SignInRefusal extends Error {
  constructor(reason: keyof typeof SIGN_IN_ERRORS, detail?: string | number) {
    super(detail === undefined ? SIGN_IN_ERRORS[reason] : `${SIGN_IN_ERRORS[reason]}:${detail}`);
  }
}

/** next-auth sends the message of anything thrown here to the browser, so our own messages go only to the log. */
export function hideFailure(error: unknown): never {
  if (error instanceof SignInRefusal) throw error;
  log.warn({ err: error }, "sign-in failed");
  throw new SignInRefusal("failed");
}
