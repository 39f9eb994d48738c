import { z } from "zod";
import { headerSecret } from "#lib/connectors/sdk/connection-fields";
import type { AuthDefinition, ConnectionField, ConnectionValues } from "#lib/connectors/sdk/define-connector";
import type { SendRequest } from "#lib/core/engine/outgoing-request";

/**
 * The name of the value that holds the access token while a request is signed, in addition to a connection's fields.
 */
export const ACCESS_TOKEN = "access_token";

export type ClientAuthentication = "basic" | "body" | "json";

/** The names of the values that hold a client that was registered for the connection, not typed by a person. */
export const REGISTERED_CLIENT = { id: "registered_client_id", secret: "registered_client_secret" } as const;

/** How a sign-in is prepared: without credentials, in a limited time. */
export interface SignInService {
  send: SendRequest;
  signal: AbortSignal;
  /** The address to which the service sends people back. */
  redirectUri: string;
}

/** A fact about a service, or how a connection's values decide it. */
type PerConnection<Fact extends string | boolean | Readonly<Record<string, string>>> =
  | Fact
  | ((values: ConnectionValues) => Fact);

/** How an OAuth 2.0 connection gets its tokens (RFC 6749, 7636, 7523). */
export interface OAuthGrant {
  grant: "authorization_code" | "client_credentials" | "jwt_bearer";
  /**
   * For jwt_bearer: builds the signed statement that is exchanged for a token.
   * @throws StepError if it cannot be signed
   */
  assertion?(values: ConnectionValues, now: Date): string;
  /** For authorization_code: the page on which the user grants access. */
  authorizeUrl?(values: ConnectionValues): string;
  tokenUrl(values: ConnectionValues): string;
  scopes(values: ConnectionValues): readonly string[];
  /** A space if omitted (RFC 6749, 3.3). */
  scopeSeparator?: PerConnection<string>;
  /**
   * Finds out from the service itself what a sign-in and its renewals need. The result is stored with the connection's
   * fields.
   * @throws StepError
   */
  prepare?(values: ConnectionValues, service: SignInService): Promise<Record<string, string>>;
  /** Additional parameters of the authorization page, such as `access_type=offline`. */
  authorizeParameters?: PerConnection<Readonly<Record<string, string>>>;
  /** Additional parameters of every request for a token. */
  tokenParameters?(values: ConnectionValues): Record<string, string>;
  /** How the application authenticates at the token endpoint. */
  clientAuthentication: PerConnection<ClientAuthentication>;
  /** False for a service that rejects PKCE. */
  hasPkce?: PerConnection<boolean>;
  /** The answers of the service that mean an expired token, besides 401 (see `parseExpiredAnswers`). */
  expiredAnswers?(values: ConnectionValues): string;
  /** The statuses that end a grant although the answer has no error code of RFC 6749, 5.2. */
  refusalStatuses?: readonly number[];
  /** True for a service that requires the redirect URL with every renewal. */
  renewalNamesRedirect?: boolean;
  /**
   * Reads details of the account from the callback's query, such as a subdomain. They are stored with the connection's
   * fields.
   * @throws StepError if the callback is not from the service
   */
  readCallback?(query: URLSearchParams, values: ConnectionValues): Record<string, string>;
}

/** Returns a fact as it is for one connection. */
export function factFor<Fact extends string | boolean | Readonly<Record<string, string>>>(
  given: PerConnection<Fact>,
  values: ConnectionValues,
): Fact {
  return typeof given === "function" ? given(values) : given;
}

/** Returns the parameter `scope`, or nothing if the connection asks for no scopes. */
export function scopeParameter(
  { scopes, scopeSeparator = " " }: OAuthGrant,
  values: ConnectionValues,
): Record<string, string> {
  const scope = scopes(values).join(factFor(scopeSeparator, values));
  return scope === "" ? {} : { scope };
}

interface OAuthOptions extends OAuthGrant {
  name?: string;
  label?: string;
  /** Fields in addition to the client id and secret. */
  fields?: readonly ConnectionField[];
  /** True if the installation cannot have an application of its own, because the service can be any. */
  isClientRequired?: boolean;
  origins: AuthDefinition["origins"];
  test: AuthDefinition["test"];
}

const APPLICATION_HELP = "Leave both fields empty to use the application of this installation, if it has one.";

/** The application entered in the connection. The installation may have its own instead. */
const CLIENT_FIELDS: readonly ConnectionField[] = [
  {
    name: "client_id",
    label: "Client ID",
    kind: "text",
    isRequired: false,
    help: APPLICATION_HELP,
    schema: z
      .string()
      .trim()
      .max(500, "must be at most 500 characters long")
      .regex(/^[!-~]+$/, "must contain only letters, digits and symbols"),
  },
  { name: "client_secret", label: "Client secret", kind: "secret", isRequired: false, schema: headerSecret },
];

/** Defines an auth that gets its access token by OAuth 2.0, renews it, and sends it as a bearer token. */
export function oauthAuth({
  name,
  label,
  fields = [],
  isClientRequired = false,
  origins,
  test,
  ...oauth
}: OAuthOptions): AuthDefinition {
  const isByPerson = oauth.grant === "authorization_code";
  return {
    name: name ?? (isByPerson ? "oauth2_authorization_code" : "oauth2_client_credentials"),
    label: label ?? (isByPerson ? "OAuth 2.0: sign in" : "OAuth 2.0: client credentials"),
    fields: [...applicationFields(oauth.grant, isClientRequired), ...fields],
    oauth,
    origins,
    sign: (request, values) => {
      const headers = { ...request.headers, authorization: `Bearer ${values[ACCESS_TOKEN] ?? ""}` };
      return { ...request, headers };
    },
    test,
  };
}

/** A signed statement identifies the caller by itself, so it needs no client id and secret. */
function applicationFields(grant: OAuthGrant["grant"], isRequired: boolean): readonly ConnectionField[] {
  if (grant === "jwt_bearer") return [];
  return isRequired ? CLIENT_FIELDS.map(required) : CLIENT_FIELDS;
}

function required({ help: _, ...field }: ConnectionField): ConnectionField {
  return { ...field, isRequired: true };
}
