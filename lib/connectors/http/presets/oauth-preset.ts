import type { ClientAuthentication } from "#lib/connectors/sdk/oauth";

/** How people sign in to a service with OAuth 2.0, as its vendor documents it. */
export interface OAuthPreset {
  name: string;
  label: string;
  /** The hosts of the API, as in the allowed hosts of a connection. */
  hosts: readonly [string, ...string[]];
  authorizeUrl: string;
  tokenUrl: string;
  /** A start that people change; empty if the scopes are set where the application is registered. */
  scopes: readonly string[];
  /** Between the scopes in a request; a space if omitted, as RFC 6749 has it. */
  separator?: "comma";
  client: ClientAuthentication;
  /** True if the vendor documents PKCE for applications with a secret. */
  hasPkce?: true;
  /** Additional parameters of the authorization page, which some vendors require for a refresh token. */
  parameters?: Readonly<Record<string, string>>;
  /** The answers that mean an expired token, if 401 is not the only one: `200 error=token_expired`. */
  expired?: readonly string[];
  /** The vendor's documentation of these facts. */
  docs: string;
}
