import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { type McpMessage, MODERN_REVISION } from "#lib/api/mcp/mcp-message";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { SERVER_INFO } from "#lib/contract/wire/server-info";
import { isJsonObject } from "#lib/support/json";

/** A tool call that both the protocol and the SDK accept as it is. */
export interface PlainCall {
  name: string;
  args: JsonObject;
}

/**
 * Returns a tool call in the form that almost every client sends. Null for any other message, valid or not: the SDK
 * validates it with its schemas, which costs as much CPU time as the whole call over REST, and writes the refusals.
 */
export function readPlainCall({ body, id, isToolCall, isModern }: McpMessage, headers: Headers): PlainCall | null {
  if (!isToolCall || !isJsonObject(body) || !hasOnly(body, MESSAGE_KEYS) || body.jsonrpc !== "2.0") return null;
  const { params } = body;
  if (!isToken(id) || !isJsonObject(params) || !hasOnly(params, PARAMETER_KEYS)) return null;
  const { name, arguments: args = {}, _meta: meta } = params;
  // The SDK copies the arguments, and drops this name.
  if (typeof name !== "string" || !isJsonObject(args) || Object.hasOwn(args, "__proto__")) return null;
  const version = headers.get("mcp-protocol-version");
  const isPlain = isModern
    ? version === MODERN_REVISION &&
      headers.get("mcp-method") === "tools/call" &&
      headers.get("mcp-name") === name &&
      isPlainEnvelope(meta)
    : (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) && (meta === undefined || isPlainMeta(meta));
  return isPlain ? { name, args } : null;
}

/** Returns the answer to a plain call, with the bytes of the SDK's. */
export function answerPlainCall({ id, isModern }: McpMessage, called: CallToolResult): Response {
  const result = isModern ? { ...called, resultType: "complete", _meta: SERVER_META } : called;
  return Response.json({ result, jsonrpc: "2.0", id });
}

const SERVER_META = { [SERVER_INFO_META_KEY]: SERVER_INFO };
const MESSAGE_KEYS = new Set(["jsonrpc", "id", "method", "params"]);
const PARAMETER_KEYS = new Set(["name", "arguments", "_meta"]);
const ENVELOPE_KEYS = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  "progressToken",
]);
const CLIENT_KEYS = new Set(["name", "version", "title"]);
const CAPABILITY_KEYS = new Set(["roots", "sampling", "elicitation"]);

/** What clients add to a call: a progress token, and ids of their own. */
function isPlainMeta(meta: unknown): boolean {
  if (!isJsonObject(meta)) return false;
  const entries = Object.entries(meta);
  return entries.every(([key, value]) => isToken(value) && !key.startsWith("io.modelcontextprotocol/"));
}

function isPlainEnvelope(meta: unknown): boolean {
  if (!isJsonObject(meta) || !hasOnly(meta, ENVELOPE_KEYS)) return false;
  const { [CLIENT_INFO_META_KEY]: client, [CLIENT_CAPABILITIES_META_KEY]: capabilities, progressToken = 0 } = meta;
  return (
    meta[PROTOCOL_VERSION_META_KEY] === MODERN_REVISION &&
    isToken(progressToken) &&
    isJsonObject(client) &&
    hasOnly(client, CLIENT_KEYS) &&
    [client.name, client.version, client.title ?? ""].every((text) => typeof text === "string") &&
    client.title !== null &&
    isJsonObject(capabilities) &&
    hasOnly(capabilities, CAPABILITY_KEYS) &&
    Object.values(capabilities).every((value) => isJsonObject(value) && Object.keys(value).length === 0)
  );
}

function hasOnly(object: JsonObject, known: ReadonlySet<string>): boolean {
  return Object.keys(object).every((key) => known.has(key));
}

function isToken(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}
