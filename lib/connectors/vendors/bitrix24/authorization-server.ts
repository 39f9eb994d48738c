import type { ConnectionValues } from "#lib/connectors/sdk/define-connector";
import { StepError } from "#lib/contract/step-error";

/** The value of a connection that holds the server which granted its tokens. */
const SERVER = "authorization_server";

/**
 * Bitrix24's authorization servers: the one of the eastern region and the one of all other regions (`DefaultOAuthServerUrl`
 * of https://github.com/bitrix24/b24phpsdk). A portal can be self-hosted, so the client secret is sent to these only.
 */
const EAST = "oauth.bitrix24.tech";
const SERVERS: ReadonlySet<string> = new Set([EAST, "oauth.bitrix.info"]);

/**
 * Reads the server that exchanges the code: https://apidocs.bitrix24.com/settings/oauth/index.html, `server_domain`.
 * Anyone can write a callback, so an unknown server ends the sign-in.
 * @throws StepError
 */
export function readAuthorizationServer(query: URLSearchParams): Record<string, string> {
  const server = query.get("server_domain")?.toLowerCase();
  if (server === undefined) return {};
  if (!SERVERS.has(server)) {
    throw new StepError("VALIDATION_ERROR", "server_domain: is not an authorization server of Bitrix24");
  }
  return { [SERVER]: server };
}

/** Returns the token endpoint of a connection. Connections without a stored server got their tokens from the east. */
export function tokenUrlOf(values: ConnectionValues): string {
  const server = values[SERVER] ?? EAST;
  return `https://${SERVERS.has(server) ? server : EAST}/oauth/token/`;
}
