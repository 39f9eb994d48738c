import type { ConnectionValues } from "#lib/connectors/define-connector";

/** The value, beside a connection's fields, that holds the access token while a request is signed. */
export const ACCESS_TOKEN = "access_token";

/** How an OAuth 2.0 connection gets its tokens (RFC 6749, 7636). */
export interface OAuthGrant {
  grant: "authorization_code" | "client_credentials";
  /** Where a person agrees; of authorization_code. */
  authorizeUrl?(values: ConnectionValues): string;
  tokenUrl(values: ConnectionValues): string;
  scopes(values: ConnectionValues): readonly string[];
  /** What else the authorization page wants, such as `access_type=offline`. */
  authorizeParameters?: Readonly<Record<string, string>>;
  /** How the application proves itself at the token endpoint. */
  clientAuthentication: "basic" | "body" | "json";
  /** False for a service that refuses PKCE. */
  hasPkce?: boolean;
  /** What the callback's query says of the account, kept with the connection's fields: a subdomain, say. */
  readCallback?(query: URLSearchParams): Record<string, string>;
}
