import type { JsonObject } from "#lib/contract/wire/json-schema";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";

const SERVERS_MAX = 100;

export interface ServerSettings {
  baseUrl: string;
  /** The first server of the document, which the base URL takes the place of. */
  root: URL | null;
}

export function rootServer(document: JsonObject): URL | null {
  return URL.parse(mainServer(document) ?? "");
}

/**
 * Returns the server of an operation: its own, or that of its path; null if it is the connector's base URL. A relative one
 * is a path at the base URL. One on the host of the document moves with the base URL: a connector for a sandbox calls
 * nothing in production.
 */
export function readServer(
  { item, operation }: { item: JsonObject; operation: JsonObject },
  { baseUrl, root }: ServerSettings,
): string | null {
  const written = fillServer(getPath(operation, ["servers", 0])) ?? fillServer(getPath(item, ["servers", 0]));
  const url = written === null ? null : URL.parse(written, baseUrl);
  const base = URL.parse(baseUrl);
  if (!url || !base || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  const isOwn = root !== null && url.origin === root.origin;
  if (isOwn && url.pathname === root.pathname && url.search === root.search) return null;
  const address = ((isOwn ? base.origin : url.origin) + url.pathname).replace(/\/+$/, "") + url.search;
  return address === baseUrl.replace(/\/+$/, "") ? null : address;
}

/** Returns the URL of the document's first server with HTTPS, otherwise of its first one; null if it names none. */
export function mainServer(document: JsonObject): string | null {
  const { servers } = document;
  const urls = (Array.isArray(servers) ? servers : []).slice(0, SERVERS_MAX).flatMap((one) => fillServer(one) ?? []);
  return urls.find((url) => url.startsWith("https:")) ?? urls[0] ?? null;
}

/**
 * Returns the URL of a server object with the defaults of its variables, otherwise the first of their values; null if one
 * has neither.
 */
function fillServer(server: unknown): string | null {
  if (!isJsonObject(server) || typeof server.url !== "string") return null;
  const filled = server.url.replace(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
    const variable = getPath(server, ["variables", name]);
    const value = getPath(variable, ["default"]) ?? getPath(variable, ["enum", 0]);
    // YAML reads an unquoted port as a number.
    return typeof value === "string" || typeof value === "number" ? String(value) : whole;
  });
  return filled.includes("{") ? null : filled;
}
