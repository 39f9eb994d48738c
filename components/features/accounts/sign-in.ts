/** The message for each refused sign-in. An unknown address and a wrong password share one message. */
const MESSAGES: Record<string, string> = {
  CredentialsSignin: "The email address or the password is wrong.",
  TooManyAttempts: "Too many attempts. Wait a few minutes and try again.",
  NoWorkspace: "Your account no longer belongs to a workspace. Ask an administrator for an invite.",
  InviteRefused: "This invite has expired, was already used, or is for another address. Ask for a new one.",
  UnverifiedEmail: "That service hasn't verified your email address. Verify it there, or sign in with a password.",
  SignUpClosed: "No account or invite exists for that address. Ask an administrator for an invite.",
  OAuthSignin: "Couldn't reach the service. Try again, or sign in with a password.",
  OAuthCallback: "Signing in there was cancelled or failed. Try again, or sign in with a password.",
  SignInFailed: "Signing in failed because of an error on our side. Try again in a moment.",
  SessionRequired: "Sign in to continue.",
};

export function messageOfSignInError(code: string): string {
  return MESSAGES[code] ?? "Signing in failed. Try again.";
}

/**
 * Signs in with a password. Returns null on success, otherwise the message to show.
 * @param more the token of an invite, accepted in the same step; the token of another service's account, which is
 * connected
 */
export async function signInWithPassword(
  email: string,
  password: string,
  more: { invite?: string; link?: string } = {},
): Promise<string | null> {
  const { signIn } = await import("next-auth/react");
  try {
    const answer = await signIn("credentials", {
      email: email.trim(),
      password,
      redirect: false,
      ...more,
    });
    if (answer?.ok && !answer.error) return null;
    return messageOfSignInError(answer?.error ?? "");
  } catch {
    return "The server didn't answer. Check your connection and try again.";
  }
}
