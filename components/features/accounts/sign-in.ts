/** What a refused sign-in means, in words. The same for an unknown address and a wrong password. */
const MESSAGES: Record<string, string> = {
  CredentialsSignin: "The e-mail address or the password is wrong.",
  TooManyAttempts: "Too many attempts. Wait a few minutes and try again.",
  NoWorkspace: "Your account belongs to no workspace any more. Ask an administrator for an invite.",
  InviteRefused: "This invite has expired, was used already, or is for another address. Ask for a new one.",
  UnverifiedEmail: "That service has not verified your e-mail address. Verify it there, or sign in with a password.",
  SignUpClosed: "Nobody has an account with that address here, and no invite names it. Ask an administrator for one.",
  OAuthSignin: "The service could not be reached. Try again, or sign in with a password.",
  OAuthCallback: "Signing in there was cancelled or did not work. Try again, or sign in with a password.",
  SignInFailed: "Signing in did not work, and the fault is ours. Try again in a moment.",
  SessionRequired: "Sign in to continue.",
};

export function messageOfSignInError(code: string): string {
  return MESSAGES[code] ?? "Signing in did not work. Try again.";
}

/**
 * Null when the person is signed in, otherwise what to tell them.
 * @param more the token of an invite, accepted in the same step; that of another service's account, to be connected
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
    return "The server did not answer. Check the connection and try again.";
  }
}
