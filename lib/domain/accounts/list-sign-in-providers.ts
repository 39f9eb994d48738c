import type { SignInProvider } from "#lib/contract/web/account";
import { env } from "#lib/platform/config/env";

/** Lists the services at which the operator has registered this installation, in the order of their buttons. */
export function listSignInProviders(): SignInProvider[] {
  const { GITHUB_CLIENT_ID, GOOGLE_CLIENT_ID } = env();
  return [
    ...(GITHUB_CLIENT_ID === undefined ? [] : ["github" as const]),
    ...(GOOGLE_CLIENT_ID === undefined ? [] : ["google" as const]),
  ];
}
