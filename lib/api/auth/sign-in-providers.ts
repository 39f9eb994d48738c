import type { OAuthConfig } from "next-auth/providers/oauth";
import { fetchGithubPerson, type GithubPerson } from "#lib/api/auth/fetch-github-person";
import { oidcSignIn } from "#lib/api/auth/oidc-sign-in";
import { env } from "#lib/platform/config/env";

/** An outage of the service must not block our request for longer than a user waits. */
const ANSWER_TIMEOUT_MS = 10_000;

const GITHUB_URL = "https://github.com";
const GOOGLE_URL = "https://accounts.google.com";

interface GooglePerson {
  sub: string;
  name?: string;
  email?: string;
  email_verified?: boolean;
}

/**
 * Returns next-auth's configuration of the services that are set up. A user's `email` is an address that the service
 * itself has verified, or none.
 */
export function signInProviders() {
  const { GITHUB_CLIENT_ID, GOOGLE_CLIENT_ID, OIDC_PROVIDERS } = env();
  return [
    ...OIDC_PROVIDERS.map((provider) => oidcSignIn(provider, ANSWER_TIMEOUT_MS)),
    ...(GITHUB_CLIENT_ID === undefined ? [] : [github()]),
    ...(GOOGLE_CLIENT_ID === undefined ? [] : [google()]),
  ];
}

function github(): OAuthConfig<GithubPerson> {
  const { GITHUB_CLIENT_ID = "", GITHUB_CLIENT_SECRET = "", GITHUB_BASE_URL } = env();
  const apiUrl = GITHUB_BASE_URL === GITHUB_URL ? "https://api.github.com" : `${GITHUB_BASE_URL}/api/v3`;
  return {
    id: "github",
    name: "GitHub",
    type: "oauth",
    clientId: GITHUB_CLIENT_ID,
    clientSecret: GITHUB_CLIENT_SECRET,
    checks: ["state", "pkce"],
    httpOptions: { timeout: ANSWER_TIMEOUT_MS },
    authorization: {
      url: `${GITHUB_BASE_URL}/login/oauth/authorize`,
      params: { scope: "read:user user:email" },
    },
    token: `${GITHUB_BASE_URL}/login/oauth/access_token`,
    userinfo: {
      url: `${apiUrl}/user`,
      request: ({ tokens }) => fetchGithubPerson(apiUrl, tokens.access_token ?? "", ANSWER_TIMEOUT_MS),
    },
    profile: (person) => ({
      id: subjectOf(GITHUB_BASE_URL, GITHUB_URL, String(person.id)),
      name: person.name || person.login,
      email: person.verified_email,
    }),
  };
}

function google(): OAuthConfig<GooglePerson> {
  const { GOOGLE_CLIENT_ID = "", GOOGLE_CLIENT_SECRET = "", GOOGLE_ISSUER } = env();
  return {
    id: "google",
    name: "Google",
    type: "oauth",
    clientId: GOOGLE_CLIENT_ID,
    clientSecret: GOOGLE_CLIENT_SECRET,
    checks: ["state", "pkce", "nonce"],
    idToken: true,
    httpOptions: { timeout: ANSWER_TIMEOUT_MS },
    wellKnown: `${GOOGLE_ISSUER}/.well-known/openid-configuration`,
    authorization: { params: { scope: "openid email profile" } },
    profile: (person) => ({
      id: subjectOf(GOOGLE_ISSUER, GOOGLE_URL, person.sub),
      name: person.name ?? "",
      email: person.email_verified === true ? (person.email ?? null) : null,
    }),
  };
}

/** Two servers can use the same id for different users, so an id is only unique together with its server. */
function subjectOf(server: string, usual: string, id: string): string {
  return server === usual ? id : `${server}|${id}`;
}
