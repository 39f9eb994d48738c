import type { SignInOption, SignInProvider } from "#lib/contract/account/account";
import { env } from "#lib/platform/config/env";
import type { OidcProvider } from "#lib/platform/config/oidc-provider-setting";

/** Lists the services at which the operator has registered this installation, in the order of their buttons. */
export function listSignInServices(): SignInOption[] {
  const { GITHUB_CLIENT_ID, GOOGLE_CLIENT_ID, OIDC_PROVIDERS } = env();
  return [
    ...OIDC_PROVIDERS.map(({ name, label, icon = null }) => ({ name, label, icon })),
    ...(GITHUB_CLIENT_ID === undefined ? [] : [{ name: "github", label: "GitHub", icon: null }]),
    ...(GOOGLE_CLIENT_ID === undefined ? [] : [{ name: "google", label: "Google", icon: null }]),
  ];
}

/** Returns the OpenID Connect provider with this name, or null if none is set up. */
export function findOidcProvider(name: string | null | undefined): OidcProvider | null {
  return env().OIDC_PROVIDERS.find((provider) => provider.name === name) ?? null;
}

/** Returns the subject of an identity: the provider's id of a person is unique only together with its issuer. */
export function oidcSubject(issuer: string, sub: string): string {
  return `${issuer}|${sub}`;
}

/** Returns the service behind an identity, or null if it is no longer set up. */
export function findServiceOf(provider: SignInProvider, subject: string): SignInOption | null {
  const name =
    provider === "oidc"
      ? env().OIDC_PROVIDERS.find(({ issuer }) => subject.startsWith(oidcSubject(issuer, "")))?.name
      : provider;
  return listSignInServices().find((service) => service.name === name) ?? null;
}
