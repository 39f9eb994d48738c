import { convertSwaggerOperation } from "#lib/connectors/custom/document/convert-swagger-operation";
import { METHODS } from "#lib/contract/connector/connector";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { getPath } from "#lib/support/get-path";
import { isJsonObject, setOwn } from "#lib/support/json";

const SCHEMES = ["https", "http"];

/**
 * Brings a Swagger 2.0 document into the form of OpenAPI 3: servers, security schemes and operations. Schemas stay where
 * they are, because references lead to them. Unusable parts stay as they are, so that reading them reports their place.
 */
export function convertSwagger(document: JsonObject): JsonObject {
  const paths: JsonObject = {};
  for (const [path, item] of Object.entries(isJsonObject(document.paths) ? document.paths : {})) {
    setOwn(paths, path, convertItem(document, item));
  }
  return {
    ...document,
    openapi: "3.0.0",
    servers: serversOf(document),
    paths,
    components: { securitySchemes: convertSchemes(document.securityDefinitions) },
  };
}

function convertItem(document: JsonObject, item: unknown): unknown {
  if (!isJsonObject(item)) return item;
  const { parameters, ...converted } = item;
  for (const method of METHODS) {
    const operation = item[method];
    if (isJsonObject(operation)) converted[method] = convertSwaggerOperation(document, operation, parameters);
  }
  return converted;
}

/** A document without a host is served by the host that it came from. */
function serversOf({ host, basePath, schemes }: JsonObject): JsonObject[] {
  const path = typeof basePath === "string" ? basePath : "";
  if (typeof host !== "string" || host === "") return [{ url: path || "/" }];
  const named = Array.isArray(schemes) ? schemes : [];
  const scheme = SCHEMES.find((known) => named.includes(known)) ?? "https";
  return [{ url: `${scheme}://${host}${path}` }];
}

function convertSchemes(definitions: unknown): JsonObject {
  const converted: JsonObject = {};
  for (const [name, scheme] of Object.entries(isJsonObject(definitions) ? definitions : {})) {
    setOwn(converted, name, isJsonObject(scheme) ? convertScheme(scheme) : scheme);
  }
  return converted;
}

const FLOWS: Record<string, string> = {
  accessCode: "authorizationCode",
  application: "clientCredentials",
  implicit: "implicit",
  password: "password",
};

function convertScheme(scheme: JsonObject): JsonObject {
  if (scheme.type === "basic") return { type: "http", scheme: "basic" };
  if (scheme.type !== "oauth2") return scheme;
  const flow = FLOWS[String(scheme.flow)] ?? "authorizationCode";
  const { authorizationUrl, tokenUrl } = scheme;
  return {
    type: "oauth2",
    flows: { [flow]: { authorizationUrl, tokenUrl, scopes: getPath(scheme, ["scopes"]) ?? {} } },
  };
}
