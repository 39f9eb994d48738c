import { z } from "zod";
import {
  CLIENT_INFO,
  LEGACY_VERSION,
  LEGACY_VERSIONS,
  type McpSession,
  MODERN_VERSION,
} from "#lib/connectors/mcp/protocol";
import { isEventStream, readServerEvents } from "#lib/connectors/mcp/read-messages";
import { readResult } from "#lib/connectors/mcp/read-result";
import { type McpService, notify, sendMessage, urlOf } from "#lib/connectors/mcp/send-message";
import { statusError } from "#lib/connectors/sdk/status-error";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";

const serverInfo = z.object({ name: z.string(), title: z.string().optional(), version: z.string().catch("") });
const discovered = z.object({
  supportedVersions: z.array(z.string()),
  _meta: z.object({ "io.modelcontextprotocol/serverInfo": serverInfo.optional() }).partial().optional(),
});
const initialized = z.object({ protocolVersion: z.string(), serverInfo: serverInfo.optional().catch(undefined) });
/** Printable ASCII, as the specification demands: anything else could not be sent in a header. */
const SESSION_ID = /^[!-~]{1,1024}$/;
/** Answers that say something about the caller, not about the era of the server. */
const FINAL: ReadonlySet<number> = new Set([401, 403, 429]);

/**
 * Finds out which era a server speaks, and opens a session if it has any.
 * @throws StepError
 */
export async function openMcpSession(service: McpService): Promise<McpSession> {
  return (await discover(service)) ?? initialize(service);
}

/** @returns null for a server of the legacy era, which refuses the question in one way or another */
async function discover(service: McpService): Promise<McpSession | null> {
  const { response, reply } = await sendMessage(service, null, { method: "server/discover" }, "modern");
  if (FINAL.has(response.status)) throw statusError(hostOf(service), response, service.now());
  const found = discovered.safeParse(reply?.result).data;
  if (!found?.supportedVersions.includes(MODERN_VERSION)) return null;
  const info = found._meta?.["io.modelcontextprotocol/serverInfo"];
  return { era: "modern", sessionId: null, server: { ...presentInfo(service, info), protocol: MODERN_VERSION } };
}

async function initialize(service: McpService): Promise<McpSession> {
  const params = { protocolVersion: LEGACY_VERSION, capabilities: {}, clientInfo: CLIENT_INFO };
  const answer = await sendMessage(service, null, { method: "initialize", params });
  if (OLD_ANSWERS.has(answer.response.status) && (await hasOldTransport(service))) throw oldTransport(service);
  const opened = initialized.safeParse(readResult(service, answer)).data;
  const host = hostOf(service);
  if (!opened) throw new StepError("answer_unreadable", `${host} is not an MCP server: it did not answer "initialize"`);
  if (!LEGACY_VERSIONS.includes(opened.protocolVersion)) {
    const version = opened.protocolVersion.slice(0, 40);
    throw new StepError("answer_unreadable", `${host} uses MCP version ${version}, which Signalbox does not support`);
  }
  const sessionId = answer.response.headers["mcp-session-id"] ?? null;
  if (sessionId !== null && !SESSION_ID.test(sessionId)) {
    throw new StepError("answer_unreadable", `${host} sent an invalid session id`);
  }
  const server = { ...presentInfo(service, opened.serverInfo), protocol: opened.protocolVersion };
  const session: McpSession = { era: "legacy", sessionId, server };
  await notify(service, session, "notifications/initialized");
  return session;
}

/** The answers of a server of the old transport to a POST (MCP, Backwards compatibility). */
const OLD_ANSWERS: ReadonlySet<number> = new Set([400, 404, 405]);
const OLD_ANSWER_MS = 3_000;

/** Reports whether the address belongs to the transport of 2024-11-05: its stream starts with the event `endpoint`. */
async function hasOldTransport(service: McpService): Promise<boolean> {
  let isOld = false;
  const request = {
    method: "GET",
    url: urlOf(service),
    headers: { accept: "text/event-stream" },
    signal: AbortSignal.any([service.signal, AbortSignal.timeout(OLD_ANSWER_MS)]),
    redirectsOnHost: 0,
    readUntil: ({ headers }: { headers: Record<string, string> }) => {
      if (!isEventStream(headers)) return null;
      let hasEvent = false;
      const read = readServerEvents((_, type) => {
        isOld = !hasEvent && type === "endpoint";
        hasEvent = true;
      });
      return (part: Buffer) => {
        read(part);
        return hasEvent;
      };
    },
  };
  await service.send(request).catch(() => undefined);
  service.signal.throwIfAborted();
  return isOld;
}

function oldTransport(service: McpService): StepError {
  const url = new URL(urlOf(service));
  const suggestion = /\/sse\/?$/.test(url.pathname)
    ? `, often ${url.origin}${url.pathname.replace(/\/sse\/?$/, "/mcp")}`
    : "";
  const message = `${url.host} has the old HTTP+SSE transport at ${url.pathname}, which Signalbox does not support. Enter the address of its Streamable HTTP endpoint${suggestion}`;
  return new StepError("VALIDATION_ERROR", message);
}

function presentInfo(service: McpService, info: z.output<typeof serverInfo> | undefined) {
  const characters = LIMITS.mcpNameCharacters;
  const name = (info?.title ?? info?.name ?? hostOf(service)).slice(0, characters);
  return { name, version: (info?.version ?? "").slice(0, characters) };
}

export function hostOf(service: McpService): string {
  return new URL(urlOf(service)).host;
}
