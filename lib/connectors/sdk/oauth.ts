import { z } from "zod";
import { headerSecret } from "#lib/connectors/sdk/connection-fields";
import type { AuthDefinition, ConnectionField, ConnectionValues } from "#lib/connectors/sdk/define-connector";

/** The value, beside a connection's fields, that holds the access token while a request is signed. */
export const ACCESS_TOKEN = "access_token";

/** How an OAuth 2.0 connection gets its tokens (RFC 6749, 7636, 7523). */
export interface OAuthGrant {
  grant: "authorization_code" | "client_credentials" | "jwt_bearer";
  /** Of jwt_bearer: the signed statement that is exchanged for a token. @throws StepError where it cannot be signed */
  assertion?(values: ConnectionValues, now: Date): string;
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
  /** True for a service that wants the redirect address with every renewal, too. */
  renewalNamesRedirect?: boolean;
  /** What the callback's query says of the account, kept with the connection's fields: a subdomain, say. */
  readCallback?(query: URLSearchParams): Record<string, string>;
}

interface OAuthOptions extends OAuthGrant {
  name?: string;
  label?: string;
  /** Beside the application's own two. */
  fields?: readonly ConnectionField[];
  /** True where no installation can have an application: any service. */
  isClientRequired?: boolean;
  origins: AuthDefinition["origins"];
  test: AuthDefinition["test"];
}

const APPLICATION_HELP = "Leave both empty to use the application this installation is registered as, where it is one.";

/** Of an application that is typed into the connection; the installation may have one of its own. */
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
      .regex(/^[!-~]+$/, "must hold only letters, digits and signs"),
  },
  { name: "client_secret", label: "Client secret", kind: "secret", isRequired: false, schema: headerSecret },
];

/** A way to authenticate that gets its access token by OAuth 2.0, renews it, and sends it as a bearer token. */
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
    label: label ?? (isByPerson ? "OAuth 2.0: sign in there" : "OAuth 2.0: client credentials"),
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

/** A signed statement says by itself who asks. */
function applicationFields(grant: OAuthGrant["grant"], isRequired: boolean): readonly ConnectionField[] {
  if (grant === "jwt_bearer") return [];
  return isRequired ? CLIENT_FIELDS.map(required) : CLIENT_FIELDS;
}

function required({ help: _, ...field }: ConnectionField): ConnectionField {
  return { ...field, isRequired: true };
}
