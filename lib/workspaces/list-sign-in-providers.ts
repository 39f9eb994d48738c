import { env } from "#lib/config/env";
import type { SignInProvider } from "#lib/contract/account";

/** Where the operator has registered this installation, in the order of their buttons. */
export function listSignInProviders(): SignInProvider[] {
  const { GITHUB_CLIENT_ID, GOOGLE_CLIENT_ID } = env();
  return [
    ...(GITHUB_CLIENT_ID === undefined ? [] : ["github" as const]),
    ...(GOOGLE_CLIENT_ID === undefined ? [] : ["google" as const]),
  ];
}
