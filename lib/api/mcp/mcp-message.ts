import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  PROTOCOL_VERSION_META_KEY,
  specTypeSchemas,
} from "@modelcontextprotocol/server";
import { ApiError } from "#lib/contract/error/api-error";
import { assertJsonBounds } from "#lib/core/input/parse-json";
import { findRepeatedName, type PathInJson, parseMarkingDigits } from "#lib/support/exact-json";

/** The first revision without a handshake: each of its requests carries its version in an envelope. */
export const MODERN_REVISION = "2026-07-28";

/** The content of one POST body, as far as it can be read before authentication. */
export interface McpMessage {
  /** The parsed body; undefined if it is not JSON. */
  body: unknown;
  isJson: boolean;
  /** The path of a name that one object has twice; null if there is none. */
  repeated: PathInJson | null;
  /** The id for the answer; null if the body has no readable id. */
  id: string | number | null;
  isToolCall: boolean;
  /** The message uses the revision without a handshake, according to its envelope or its header. */
  isModern: boolean;
}

/** @throws ApiError BAD_REQUEST or PAYLOAD_TOO_LARGE if the body is nested too deeply or contains too many values */
export function readMessage(bytes: Uint8Array, headers: Headers): McpMessage {
  const { isJson, body, repeated } = parse(bytes);
  const { id: givenId, method, params } = fields(body);
  const isId = typeof givenId === "string" || Number.isFinite(givenId);
  // Of two ids, neither is known to be the one that the client waits for (JSON-RPC 2.0, 5).
  const id = isId && repeated?.[0] !== "id" ? (givenId as string | number) : null;
  const claim = fields(fields(params)._meta)[PROTOCOL_VERSION_META_KEY];
  return {
    body,
    isJson,
    repeated,
    id,
    isToolCall: method === "tools/call" && id !== null,
    // The SDK also compares revisions as text, so both draw the line at the same place.
    isModern: claim !== undefined || (headers.get("mcp-protocol-version") ?? "") >= MODERN_REVISION,
  };
}

/**
 * Returns why the message is not valid JSON-RPC, as a JSON-RPC code and text, or null. A batch is refused: it would
 * make many calls for one request of the window.
 */
export function findMessageFault(message: McpMessage): { code: number; text: string } | null {
  const { body, isJson } = message;
  if (!isJson) return { code: -32700, text: "Parse error: the body is not valid JSON." };
  if (Array.isArray(body)) {
    return { code: -32600, text: "Invalid Request: batches are not supported; send one message per POST." };
  }
  if (isJSONRPCNotification(body) || isJSONRPCResponse(body)) return null;
  if (!isJSONRPCRequest(body)) {
    return { code: -32600, text: "Invalid Request: the body is not a JSON-RPC 2.0 message." };
  }
  const wrong = findWrongParameter(body);
  return wrong === null ? null : { code: -32602, text: `Invalid params: ${wrong}` };
}

/** The supported requests that have parameters. */
const REQUESTS: Readonly<Record<string, keyof typeof specTypeSchemas>> = {
  initialize: "InitializeRequest",
  "tools/list": "ListToolsRequest",
  "tools/call": "CallToolRequest",
  "resources/list": "ListResourcesRequest",
  "resources/templates/list": "ListResourceTemplatesRequest",
  "resources/read": "ReadResourceRequest",
  "prompts/list": "ListPromptsRequest",
  "prompts/get": "GetPromptRequest",
  "completion/complete": "CompleteRequest",
};

/**
 * Finds an invalid parameter. The SDK would answer with an internal error, which clients report as a fault of the
 * server.
 */
function findWrongParameter(body: { method: string }): string | null {
  const name = Object.hasOwn(REQUESTS, body.method) ? REQUESTS[body.method] : undefined;
  const checked = name && specTypeSchemas[name]["~standard"].validate(body);
  const issue = checked && "issues" in checked ? checked.issues?.[0] : undefined;
  if (!issue) return null;
  const path = (issue.path ?? []).map((part) => String(typeof part === "object" ? part.key : part));
  return `${path.join(".").slice(0, 200)}: ${issue.message.slice(0, 200)}`;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parse(bytes: Uint8Array): Pick<McpMessage, "isJson" | "body" | "repeated"> {
  try {
    const text = utf8.decode(bytes);
    assertJsonBounds(text);
    const body = parseMarkingDigits(text);
    return { isJson: true, body, repeated: findRepeatedName(text, body) };
  } catch (error) {
    if (error instanceof ApiError) throw error;
    return { isJson: false, body: undefined, repeated: null };
  }
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
