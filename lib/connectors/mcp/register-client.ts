import { z } from "zod";
import type { AuthorizationServer } from "#lib/connectors/mcp/discover-authorization";
import { CLIENT_INFO } from "#lib/connectors/mcp/protocol";
import { readMetadata } from "#lib/connectors/mcp/read-metadata";
import { errorWords } from "#lib/connectors/sdk/error-words";
import { REGISTERED_CLIENT, type SignInService } from "#lib/connectors/sdk/oauth";
import { StepError } from "#lib/contract/run/step-error";

const registered = z.object({
  client_id: z.string().min(1).max(2_000),
  client_secret: z.string().max(8_000).nullish(),
});

/** In the order of preference: PKCE protects a client without a secret, and nothing can leak. */
const METHODS = ["none", "client_secret_basic", "client_secret_post"];

/**
 * Registers this installation at an authorization server (RFC 7591).
 * @returns the client, under names that no person can fill in
 * @throws StepError if the server registers no one, or refuses
 */
export async function registerClient(
  server: AuthorizationServer,
  { send, signal, redirectUri }: SignInService,
): Promise<Record<string, string>> {
  const { registration_endpoint: url, issuer } = server;
  if (url === undefined) {
    const message = `${issuer} does not support client registration. Register Signalbox there, and enter the client ID`;
    throw new StepError("VALIDATION_ERROR", message);
  }
  const supported = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const client = {
    client_name: CLIENT_INFO.title,
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: METHODS.find((method) => supported.includes(method)) ?? "none",
  };
  const headers = { accept: "application/json", "content-type": "application/json" };
  const body = JSON.stringify(client);
  const response = await send({ method: "POST", url, headers, body, signal, redirectsOnHost: 0 });
  const given = registered.safeParse(readMetadata(response));
  if (response.status >= 400 || !given.success) {
    const words = errorWords(response);
    const message = `${issuer} refused to register Signalbox: ${response.status}${words ? ` (${words})` : ""}`;
    throw new StepError("VALIDATION_ERROR", message);
  }
  const { client_id: id, client_secret: secret } = given.data;
  return { [REGISTERED_CLIENT.id]: id, [REGISTERED_CLIENT.secret]: secret ?? "" };
}
