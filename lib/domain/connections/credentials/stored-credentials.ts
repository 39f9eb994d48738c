import { findAuth } from "#lib/connectors/registry";
import type { AuthDefinition, ConnectionValues } from "#lib/connectors/sdk/define-connector";
import { ACCESS_TOKEN } from "#lib/connectors/sdk/oauth";
import { serviceAddresses } from "#lib/domain/connections/credentials/service-addresses";
import { seal, unseal } from "#lib/platform/secrets/seal";

/** What a connection's sealed column holds: which way to authenticate, and every field, secret or not. */
export interface Credentials {
  auth: string;
  values: ConnectionValues;
  /** Of an OAuth connection: what was granted, apart from what a person typed. */
  tokens?: OAuthTokens;
}

export interface OAuthTokens {
  accessToken: string;
  refreshToken: string | null;
  /** ISO 8601; null where the service does not say. */
  expiresAt: string | null;
}

interface SealedConnection {
  workspaceId: string;
  id: string;
}

/** What binds sealed credentials to their connection. */
export function credentialContext(connectionId: string): string {
  return `credential|${connectionId}`;
}

/** Where a secret may go is sealed with it: whoever can write to the table cannot redirect it. */
export function sealCredentials({ workspaceId, id }: SealedConnection, credentials: Credentials): Buffer<ArrayBuffer> {
  return seal(workspaceId, credentialContext(id), credentials);
}

/** Sealed with a key that is lost, changed, or made by a version that knew another way to authenticate. */
export class CredentialsUnreadable extends Error {
  override readonly name = "CredentialsUnreadable";
}

/** @throws CredentialsUnreadable */
export function unsealCredentials({ workspaceId, id }: SealedConnection, sealed: Uint8Array): Credentials {
  try {
    return unseal<Credentials>(workspaceId, credentialContext(id), sealed);
  } catch (cause) {
    throw new CredentialsUnreadable(`The credentials of ${id} do not open.`, { cause });
  }
}

/**
 * The values of credentials as they are used: with the addresses of the service, which are looked up and never stored,
 * and the access token that was granted.
 */
export function usableValues(connector: string, { values, tokens }: Credentials): ConnectionValues {
  const granted: ConnectionValues = tokens ? { [ACCESS_TOKEN]: tokens.accessToken } : {};
  return { ...values, ...granted, ...serviceAddresses(connector, values) };
}

/** What operations may read: the fields that are no secrets, and the addresses. */
export function serviceSettings(connector: string, auth: AuthDefinition, values: ConnectionValues): ConnectionValues {
  return { ...settingsOf(auth, values), ...serviceAddresses(connector, values) };
}

/** The fields that are no secrets, defaults filled in. */
export function settingsOf({ fields }: AuthDefinition, values: ConnectionValues): Record<string, string> {
  const shown = fields.filter(({ kind }) => kind !== "secret");
  return Object.fromEntries(
    shown.flatMap(({ name, default: standard }) => {
      const value = values[name] ?? standard;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/**
 * Every text that would give a secret away: the secret fields, and what becomes of them in a request.
 */
export function secretTexts(auth: AuthDefinition, values: ConnectionValues): string[] {
  const [origin = ""] = auth.origins(values);
  const url = origin.replace("*.", "any.");
  const signed = auth.sign({ method: "GET", url, headers: {}, signal: new AbortController().signal }, values);
  const sent = Object.values(signed.headers).flatMap((value) => value.split(" ").slice(-1));
  const fields = auth.fields.flatMap(({ name, kind }) => (kind === "secret" ? [values[name] ?? ""] : []));
  return [...new Set([...fields, ...sent])].filter((text) => text !== "");
}

/** @throws CredentialsUnreadable for a way to authenticate that this version does not know */
export function getAuth(connector: string, auth: string): AuthDefinition {
  const found = findAuth(connector, auth);
  if (!found)
    throw new CredentialsUnreadable(`There is no way "${auth}" to authenticate with the connector "${connector}".`);
  return found;
}
