import type { SignInOption } from "#lib/contract/account/account";

/** For tests: services that the operator set up. */
export const GITHUB_SERVICE: SignInOption = { name: "github", label: "GitHub", icon: null };
export const GOOGLE_SERVICE: SignInOption = { name: "google", label: "Google", icon: null };
