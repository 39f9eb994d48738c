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
  /** Followed by the name of the service that is now connected, at which the sign-in continues. */
  connected: "AccountConnected",
  /** Followed by the ticket of the second step. */
  secondFactor: "SecondFactorNeeded",
  expired: "SignInExpired",
  /** A server error. The log has the cause. */
  failed: "SignInFailed",
  /** The answer of an OpenID Connect provider names another issuer. */
  wrongIssuer: "WrongIssuer",
  /** The ID token is for another client. */
  wrongAudience: "WrongAudience",
  /** The ID token has expired, or is from the future. */
  tokenExpired: "IdTokenExpired",
  /** The ID token answers another sign-in. */
  wrongNonce: "WrongNonce",
  /** The signature of the ID token is wrong, or the token is missing or cannot be read. */
  invalidToken: "InvalidIdToken",
  /** The provider refused the code or the client. */
  clientRefused: "ProviderRefusedClient",
  unreachable: "ProviderUnreachable",
  /** The provider did not let the person in, or they cancelled there. */
  accessDenied: "ProviderDeniedAccess",
  /** The provider refused the request. Followed by its error code. */
  requestRefused: "ProviderRefusedRequest",
  /** The provider may not vouch for addresses of this domain. */
  foreignAddress: "ForeignAddress",
  /** Followed by the name of the claim. */
  claimMissing: "ClaimMissing",
  /** Followed by the name of the claim. */
  groupsMissing: "GroupsMissing",
  /** Followed by the name of the claim. */
  groupsUnreadable: "GroupsUnreadable",
  groupsOverage: "GroupsOverage",
  /** The person may sign in, but nothing gives them access. */
  noAccess: "NoGroupAccess",
} as const;

type Reason = keyof typeof SIGN_IN_ERRORS;

/** A reason, and its detail after a colon. */
export type SignInRefusalCode = Reason | `${Reason}:${string}`;

/** Returns the path of the sign-in page that shows a refusal. */
export function refusalPath(code: SignInRefusalCode): string {
  const [reason, ...detail] = code.split(":") as [Reason, ...string[]];
  return `/sign-in?${new URLSearchParams({ error: [SIGN_IN_ERRORS[reason], ...detail].join(":") })}`;
}

/** A refusal whose message next-auth passes to the browser. */
export class SignInRefusal extends Error {
  constructor(reason: Reason, detail?: string | number) {
    super(detail === undefined ? SIGN_IN_ERRORS[reason] : `${SIGN_IN_ERRORS[reason]}:${detail}`);
  }
}

/** next-auth sends the message of anything thrown here to the browser, so our own messages go only to the log. */
export function hideFailure(error: unknown): never {
  if (error instanceof SignInRefusal) throw error;
  log.warn({ err: error }, "sign-in failed");
  throw new SignInRefusal("failed");
}
