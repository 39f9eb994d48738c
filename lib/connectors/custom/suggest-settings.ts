import type { CustomAuth, ValidatedConnector } from "#lib/contract/connector";
import type { JsonObject } from "#lib/contract/json-schema";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";

type Suggested = ValidatedConnector["suggested"];

export const NOTHING_SUGGESTED: Suggested = { name: null, base_url: null, auth: null };

const NAME_CHARACTERS = 100;

/**
 * Reads what an OpenAPI document says about the service: its title, its first server, and the auth method.
 * @param documentUrl the URL from which it was loaded; a server URL may be relative to it
 */
export function suggestSettings(document: JsonObject, documentUrl: string | null): Suggested {
  const title = getPath(document, ["info", "title"]);
  return {
    name: typeof title === "string" && title.trim() !== "" ? title.trim().slice(0, NAME_CHARACTERS) : null,
    base_url: baseUrlOf(document, documentUrl),
    auth: authOf(document),
  };
}

function baseUrlOf(document: JsonObject, documentUrl: string | null): string | null {
  const server = getPath(document, ["servers", 0]);
  if (!isJsonObject(server) || typeof server.url !== "string") return null;
  const filled = server.url.replace(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
    const value = getPath(server, ["variables", name, "default"]);
    return typeof value === "string" ? value : whole;
  });
  if (filled.includes("{") || !URL.canParse(filled, documentUrl ?? undefined)) return null;
  const url = new URL(filled, documentUrl ?? undefined);
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  return (url.origin + url.pathname).replace(/\/+$/, "");
}

/** Picks the scheme that all operations require, otherwise the first one defined; `none` if there is none. */
function authOf(document: JsonObject): CustomAuth | null {
  const schemes = getPath(document, ["components", "securitySchemes"]);
  if (!isJsonObject(schemes) || Object.keys(schemes).length === 0) return "none";
  const required = getPath(document, ["security", 0]);
  const [name = Object.keys(schemes)[0] ?? ""] = isJsonObject(required) ? Object.keys(required) : [];
  const scheme = getPath(schemes, [name]);
  return isJsonObject(scheme) ? authOfScheme(scheme) : null;
}

function authOfScheme({ type, scheme, flows }: JsonObject): CustomAuth | null {
  switch (type) {
    case "apiKey":
      return "api_key";
    case "http":
      return String(scheme).toLowerCase() === "basic" ? "basic" : "bearer";
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
