import { mainServer } from "#lib/connectors/custom/read-server";
import { listRequiredKeys, requirementOf } from "#lib/connectors/custom/sent-by-connection";
import { findPreset } from "#lib/connectors/http/presets/oauth-presets";
import type { CustomAuth, ValidatedConnector } from "#lib/contract/connector/connector";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";

type Suggested = ValidatedConnector["suggested"];

export const NOTHING_SUGGESTED: Suggested = { name: null, base_url: null, auth: null, service: null };

const NAME_CHARACTERS = 100;
const HTTP_SCHEMES = ["basic", "bearer"] as const;

/**
 * Reads what an OpenAPI document says about the service: its title, its first server, the auth method, and the known
 * service to sign in to.
 * @param documentUrl the URL from which it was loaded; a server URL may be relative to it
 */
export function suggestSettings(document: JsonObject, documentUrl: string | null): Suggested {
  const title = getPath(document, ["info", "title"]);
  const baseUrl = baseUrlOf(document, documentUrl);
  const preset = findPreset(baseUrl, signInUrls(document));
  return {
    name: typeof title === "string" && title.trim() !== "" ? title.trim().slice(0, NAME_CHARACTERS) : null,
    base_url: baseUrl,
    auth: authOf(document),
    service: preset && { service: preset.name, name: preset.label },
  };
}

function baseUrlOf(document: JsonObject, documentUrl: string | null): string | null {
  const filled = mainServer(document);
  if (filled === null || !URL.canParse(filled, documentUrl ?? undefined)) return null;
  const url = new URL(filled, documentUrl ?? undefined);
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  return (url.origin + url.pathname).replace(/\/+$/, "");
}

/** Lists the addresses at which the document's OAuth 2.0 schemes sign people in and grant tokens. */
function signInUrls(document: JsonObject): string[] {
  const schemes = getPath(document, ["components", "securitySchemes"]);
  if (!isJsonObject(schemes)) return [];
  return Object.values(schemes).flatMap((scheme) => {
    const flow = getPath(scheme, ["flows", "authorizationCode"]);
    if (!isJsonObject(flow)) return [];
    return [flow.authorizationUrl, flow.tokenUrl].filter((url) => typeof url === "string");
  });
}

/** Picks the scheme that all operations require, otherwise the first one defined; `none` if there is none. */
function authOf(document: JsonObject): CustomAuth | null {
  const schemes = getPath(document, ["components", "securitySchemes"]);
  if (!isJsonObject(schemes) || Object.keys(schemes).length === 0) return "none";
  const required = requirementOf(document);
  const [name = Object.keys(schemes)[0] ?? ""] = required ? Object.keys(required) : [];
  if (listRequiredKeys(document).length > 1 && required) return "api_keys";
  const scheme = getPath(schemes, [name]);
  return isJsonObject(scheme) ? authOfScheme(scheme) : null;
}

function authOfScheme({ type, scheme, flows }: JsonObject): CustomAuth | null {
  switch (type) {
    case "apiKey":
      return "api_key";
    case "http":
      return HTTP_SCHEMES.find((known) => known === String(scheme).toLowerCase()) ?? null;
    case "oauth2":
      return isJsonObject(flows) && flows.authorizationCode === undefined && flows.clientCredentials !== undefined
        ? "oauth2_client_credentials"
        : "oauth2_authorization_code";
    case "openIdConnect":
      return "oauth2_authorization_code";
    default:
      return null;
  }
}
