import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { typedSecretsOf } from "#lib/core/graph/checks/typed-secrets";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";
import { editNodeData, fieldName, type Path } from "@/components/canvas/document/edit-data";

/** The connection that would replace a secret in an HTTP request. */
export interface DerivedConnection {
  /** The field that contains the secret. */
  path: Path;
  /** Suggested name: the host that the request goes to. */
  name: string;
  auth: "bearer" | "basic" | "api_key";
  fields: Record<string, string>;
}

/** The scheme, the credentials and the host of an address, if they are literal; the rest may contain expressions. */
const ADDRESS = /^(https?:\/\/)(?:([^\s/?#@:{}]*):([^\s/?#@{}]*)@)?([a-z0-9.-]+(?::\d{1,5})?)(?=[/?#]|$)/i;

/**
 * Returns the connection that a secret of the step can move to, or null: if there is none, if it is somewhere that a
 * connection does not fill in, if the step has a connection, or if an expression decides the host.
 */
export function deriveConnection(node: GraphNode): DerivedConnection | null {
  const { connector, operation, connection_id: connectionId } = node.data;
  const isRequest = node.type === "connector" && connector === "http" && operation === "request";
  const url = getPath(node.data, ["params", "url"]);
  if (!isRequest || (connectionId !== undefined && connectionId !== "") || typeof url !== "string") return null;
  const [, scheme = "", username = "", password = "", host] = ADDRESS.exec(url) ?? [];
  if (host === undefined) return null;
  const hosts = scheme.toLowerCase() === "http://" ? `http://${host}` : host;
  for (const { path } of typedSecretsOf(node)) {
    const value = getPath(node.data, path);
    if (typeof value !== "string") continue;
    const auth = authOf(path, value.trim(), { username, password });
    if (auth) return { path, name: host, auth: auth.auth, fields: { ...auth.fields, hosts } };
  }
  return null;
}

type Auth = Pick<DerivedConnection, "auth" | "fields">;

function authOf(path: Path, value: string, inUrl: { username: string; password: string }): Auth | null {
  const [params, place, name] = path;
  if (params !== "params") return null;
  if (place === "url" && path.length === 2) {
    const { username, password } = inUrl;
    return password === ""
      ? null
      : { auth: "basic", fields: { username: decode(username), password: decode(password) } };
  }
  if (typeof name !== "string" || path.length !== 3 || value.includes("{{")) return null;
  if (place === "query") return { auth: "api_key", fields: { placement: "query", name, value } };
  if (place !== "headers") return null;
  return headerAuth(name, value);
}

function headerAuth(name: string, value: string): Auth {
  const [, scheme = "", rest = ""] = /^(Bearer|Basic)\s+(\S+)$/i.exec(value) ?? [];
  if (name.toLowerCase() === "authorization" && scheme.toLowerCase() === "bearer") {
    return { auth: "bearer", fields: { token: rest } };
  }
  const pair = name.toLowerCase() === "authorization" && scheme !== "" ? decodePair(rest) : null;
  if (pair) return { auth: "basic", fields: pair };
  return { auth: "api_key", fields: { placement: "header", name, value } };
}

function decodePair(encoded: string): { username: string; password: string } | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(
      Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)),
    );
    const colon = text.indexOf(":");
    return colon < 0 ? null : { username: text.slice(0, colon), password: text.slice(colon + 1) };
  } catch {
    return null;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the definition with the connection in place of the secret; nothing else of the draft changes. */
export function moveSecretOut(
  definition: Definition,
  node: GraphNode,
  { path }: DerivedConnection,
  connectionId: string,
): Definition {
  const withConnection = editNodeData(definition, node.id, ["connection_id"], connectionId);
  if (fieldName(path) === "params.url") {
    const url = String(getPath(node.data, path)).replace(
      ADDRESS,
      (_, scheme, _username, _password, host) => scheme + host,
    );
    return editNodeData(withConnection, node.id, path, url);
  }
  const parent = path.slice(0, -1);
  const siblings = getPath(node.data, parent);
  const isLast = isJsonObject(siblings) && Object.keys(siblings).length === 1;
  return editNodeData(withConnection, node.id, isLast ? parent : path, undefined);
}
