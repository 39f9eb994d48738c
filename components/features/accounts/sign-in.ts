import type { PasskeyProof, SecondFactorProof } from "#lib/contract/account/account";
import { formatCount } from "#lib/support/format/format-number";

/** The message for each refused sign-in. An unknown address and a wrong password share one message. */
const MESSAGES: Record<string, string> = {
  CredentialsSignin: "The email address or the password is wrong.",
  TooManyAttempts: "Too many attempts. Wait a few minutes and try again.",
  NoWorkspace: "Your account no longer belongs to a workspace. Ask a workspace admin for an invite.",
  InviteRefused: "This invite has expired, was already used, or is for another address. Ask for a new one.",
  UnverifiedEmail: "That service hasn't verified your email address. Verify it there, or sign in with a password.",
  SignUpClosed: "No account or invite exists for that address. Ask a workspace admin for an invite.",
  OAuthSignin: "Couldn't reach the service. Try again, or sign in with a password.",
  OAuthCallback: "Signing in with the service failed or was cancelled. Try again, or sign in with a password.",
  SignInExpired: "This sign-in has expired or was already used. Start again.",
  SignInFailed: "Signing in failed because of an error on our side. Try again in a moment.",
  SessionRequired: "Sign in to continue.",
  WrongIssuer: "The response came from the wrong issuer. Ask the operator to check the issuer.",
  WrongAudience: "The response was meant for another application. Ask the operator to check the client ID.",
  IdTokenExpired:
    "The provider's response has expired. Try again. If that fails, ask the operator to check the clocks.",
  WrongNonce: "The provider's response is for a different sign-in. Start again.",
  InvalidIdToken: "The provider's response has no valid ID token. Ask the operator to check the signing algorithm.",
  ProviderRefusedClient: "The provider refused Signalbox. Ask the operator to check the client ID and the secret.",
  ProviderDeniedAccess:
    "The provider denied access, or you cancelled the sign-in. If you can't get in, ask its administrator for access.",
  ProviderRefusedRequest:
    "The provider refused the sign-in. Try again. If that fails, ask the operator to check its settings.",
  ProviderUnreachable: "Couldn't reach the provider. Try again in a moment.",
  ForeignAddress:
    "Your address isn't in a domain of this provider. Ask the operator to check the provider's email domains.",
  ClaimMissing: "The provider didn't send your email address. Ask its administrator to add the claim.",
  GroupsMissing: "The provider didn't send your groups. Ask its administrator to add the claim.",
  GroupsUnreadable: "Signalbox can't read your groups. Ask the provider's administrator to send a list of names.",
  GroupsOverage:
    "You're in too many groups for the provider to list. Ask its administrator to send only the groups of this application.",
  NoGroupAccess: "You signed in, but none of your groups gives you access. Ask a workspace admin.",
};

/** Messages that name a claim that is missing or wrong, or an error code of the provider. */
const NAMING_MESSAGES: Record<string, (name: string) => string> = {
  ProviderRefusedRequest: (code) =>
    `The provider refused the sign-in with "${code}". Try again. If that fails, ask the operator to check its settings.`,
  ClaimMissing: (claim) => `The provider didn't send the claim "${claim}". Ask its administrator to add it.`,
  GroupsUnreadable: (claim) =>
    `Signalbox can't read your groups in the claim "${claim}". Ask the provider's administrator to send a list of names.`,
  GroupsMissing: (claim) => `The provider didn't send your groups. Ask its administrator to add the claim "${claim}".`,
};

/** The names that claims and error codes usually have; anyone can write another text into the address of the page. */
const NAME = /^[\w.:/-]{1,100}$/;

/** @param code the error code; some have a detail after a colon, such as the seconds to wait */
export function messageOfSignInError(code: string): string {
  const [name = "", detail = ""] = code.split(":");
  if (name === "TooManyAttempts" && /^\d+$/.test(detail)) return `Too many attempts. ${waitWords(Number(detail))}`;
  const named = code.slice(name.length + 1);
  if (NAME.test(named) && NAMING_MESSAGES[name]) return NAMING_MESSAGES[name](named);
  return MESSAGES[name] ?? "Signing in failed. Try again.";
}

function waitWords(seconds: number): string {
  if (seconds < 60) return `Try again in ${formatCount(seconds, "second")}.`;
  return `Try again in ${formatCount(Math.ceil(seconds / 60), "minute")}.`;
}

export type SignInResult =
  | { status: "signed_in" }
  /** The password connected an account of this service. The sign-in continues there. */
  | { status: "connected"; service: string }
  /** The first step was right. The ticket lets the second one start. */
  | { status: "second_factor"; ticket: string }
  /** The sign-in has to start again. */
  | { status: "expired"; message: string }
  | { status: "refused"; message: string };

/** What else a sign-in does: it accepts an invite, or connects another service's account. */
interface Errand {
  invite?: string;
  link?: string;
}

/** Signs in with a password, or does the first step with it. */
export function signInWithPassword(email: string, password: string, more: Errand = {}): Promise<SignInResult> {
  return sendStep("credentials", { email: email.trim(), password, ...more });
}

export function signInWithPasskey({ token, response }: PasskeyProof, more: Errand = {}): Promise<SignInResult> {
  const unknown = "This passkey isn't registered with Signalbox.";
  return sendStep("passkey", { token, response: JSON.stringify(response), ...more }, unknown);
}

/** Does the second step of a sign-in. */
export function sendSecondFactor(ticket: string, proof: SecondFactorProof): Promise<SignInResult> {
  const fields =
    "passkey" in proof ? { token: proof.passkey.token, response: JSON.stringify(proof.passkey.response) } : proof;
  const wrong = "passkey" in proof ? "The passkey was refused. Try again." : "This code is wrong or was already used.";
  return sendStep("second-factor", { ticket, ...fields }, wrong);
}

/** @param wrong the message for wrong credentials, if it is not the one of the password form */
async function sendStep(step: string, fields: Record<string, string>, wrong?: string): Promise<SignInResult> {
  const { signIn } = await import("next-auth/react");
  try {
    const answer = await signIn(step, { redirect: false, ...fields });
    if (answer?.ok && !answer.error) return { status: "signed_in" };
    return resultOf(answer?.error ?? "", wrong);
  } catch {
    return { status: "refused", message: "The server didn't answer. Check your connection and try again." };
  }
}

function resultOf(error: string, wrong: string | undefined): SignInResult {
  const [name, ...detail] = error.split(":");
  if (name === "SecondFactorNeeded") return { status: "second_factor", ticket: detail.join(":") };
  if (name === "AccountConnected") return { status: "connected", service: detail.join(":") };
  if (name === "SignInExpired") return { status: "expired", message: messageOfSignInError(error) };
  if (name === "CredentialsSignin" && wrong !== undefined) return { status: "refused", message: wrong };
  return { status: "refused", message: messageOfSignInError(error) };
}
