import { findAuth } from "#lib/connectors/registry";
import type { AuthDefinition, ConnectionValues } from "#lib/connectors/sdk/define-connector";
import { ACCESS_TOKEN } from "#lib/connectors/sdk/oauth";
import { credentialContext } from "#lib/domain/connections/credentials/sealed-contexts";
import { serviceAddresses } from "#lib/domain/connections/credentials/service-addresses";
import { seal, unseal } from "#lib/platform/secrets/seal";

/** The content of a connection's sealed column: the authentication method, and every field, secret or not. */
export interface Credentials {
  auth: string;
  values: ConnectionValues;
  /** The granted tokens of an OAuth connection, separate from what a person typed. */
  tokens?: OAuthTokens;
}

export interface OAuthTokens {
  accessToken: string;
  refreshToken: string | null;
  /** ISO 8601; null if the service does not report it. */
  expiresAt: string | null;
  /** How long the token was granted for; missing if the service does not report it, or in older credentials. */
  lifetimeMs?: number;
}

interface SealedConnection {
  workspaceId: string;
  id: string;
}

/**
 * Seals credentials together with their allowed hosts, so that a user who can write to the table cannot redirect a
 * secret.
 */
export function sealCredentials({ workspaceId, id }: SealedConnection, credentials: Credentials): Buffer<ArrayBuffer> {
  return seal(workspaceId, credentialContext(id), credentials);
}

/** Thrown if the key is lost or changed, or a version with another authentication method sealed the credentials. */
export class CredentialsUnreadable extends Error {
  override readonly name = "CredentialsUnreadable";
}

/** @throws CredentialsUnreadable */
export function unsealCredentials({ workspaceId, id }: SealedConnection, sealed: Uint8Array): Credentials {
  try {
    return unseal<Credentials>(workspaceId, credentialContext(id), sealed);
  } catch (cause) {
    throw new CredentialsUnreadable(`The credentials of ${id} cannot be decrypted.`, { cause });
  }
}

/**
 * Returns the values of credentials as they are used: with the addresses of the service, which are looked up and never
 * stored, and the granted access token.
 */
export function usableValues(connector: string, { values, tokens }: Credentials): ConnectionValues {
  const granted: ConnectionValues = tokens ? { [ACCESS_TOKEN]: tokens.accessToken } : {};
  return { ...values, ...granted, ...serviceAddresses(connector, values) };
}

/** Returns what operations may read: the fields that are not secret, and the addresses. */
export function serviceSettings(connector: string, auth: AuthDefinition, values: ConnectionValues): ConnectionValues {
  return { ...settingsOf(auth, values), ...serviceAddresses(connector, values) };
}

/** Returns the fields that are not secret, with defaults filled in. */
export function settingsOf({ fields }: AuthDefinition, values: ConnectionValues): Record<string, string> {
  const shown = fields.filter(({ kind }) => kind !== "secret");
  return Object.fromEntries(
    shown.flatMap(({ name, default: standard }) => {
      const value = values[name] ?? standard;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Lists every text that would reveal a secret: the secret fields, and their encoded forms in a request. */
export function secretTexts(auth: AuthDefinition, values: ConnectionValues): string[] {
  const [origin = ""] = auth.origins(values);
  const url = origin.replace("*.", "any.");
  const signed = auth.sign({ method: "GET", url, headers: {}, signal: new AbortController().signal }, values);
  const sent = Object.values(signed.headers).flatMap((value) => value.split(" ").slice(-1));
  const fields = auth.fields.flatMap(({ name, kind }) => (kind === "secret" ? [values[name] ?? ""] : []));
  return [...new Set([...fields, ...sent])].filter((text) => text !== "");
}

/** @throws CredentialsUnreadable for an authentication method that this version does not know */
export function getAuth(connector: string, auth: string): AuthDefinition {
  const found = findAuth(connector, auth);
  if (!found) throw new CredentialsUnreadable(`The connector "${connector}" has no authentication method "${auth}".`);
  return found;
}
