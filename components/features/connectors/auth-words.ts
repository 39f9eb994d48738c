import type { CustomAuth } from "#lib/contract/connector/connector";

/** How a service authenticates calls, as shown to users; the credentials are an HTTP API connection. */
export const AUTH_WORDS: Record<CustomAuth, string> = {
  none: "None",
  api_key: "API key",
  api_keys: "Several API keys",
  bearer: "Bearer token",
  basic: "User and password (basic)",
  oauth2_client_credentials: "OAuth 2.0, client credentials",
  oauth2_authorization_code: "OAuth 2.0, signing in",
};
