import type { JsonObject } from "#lib/contract/wire/json-schema";

/** The stateless revision: no session, and every request describes itself. */
export const MODERN_VERSION = "2026-07-28";
/** The revision that `initialize` offers, and those that a server may answer with. */
export const LEGACY_VERSION = "2025-11-25";
export const LEGACY_VERSIONS: readonly string[] = [LEGACY_VERSION, "2025-06-18", "2025-03-26", "2024-11-05"];

export const CLIENT_INFO = { name: "signalbox", title: "Signalbox", version: "1.0.0" };

/** Error codes of JSON-RPC and of MCP that have a meaning for a step. */
export const RPC_CODES = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  capabilityMissing: -32_021,
  elicitationRequired: -32_042,
} as const;

/** What a server says about itself. */
export interface McpServerInfo {
  name: string;
  version: string;
  /** The revision of the protocol that it speaks with us. */
  protocol: string;
}

/** A state in which requests can be sent to a server. */
export interface McpSession {
  era: "modern" | "legacy";
  server: McpServerInfo;
  /** Only in the legacy era, and only if the server keeps sessions. */
  sessionId: string | null;
}

export interface RpcError {
  /** A number by the specification; some servers write a text. */
  code: number | string;
  message: string;
  data?: unknown;
}

/** A JSON-RPC message of any kind, as far as it is read. */
export interface RpcMessage {
  id?: unknown;
  method?: string;
  params?: unknown;
  result?: JsonObject;
  error?: RpcError;
}

/** The envelope with which every request of the stateless era describes its client. */
export function modernMeta(): JsonObject {
  return {
    "io.modelcontextprotocol/protocolVersion": MODERN_VERSION,
    "io.modelcontextprotocol/clientInfo": CLIENT_INFO,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
}
