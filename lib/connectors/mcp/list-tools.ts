import { z } from "zod";
import { openMcpSession } from "#lib/connectors/mcp/open-mcp-session";
import type { McpServerInfo, McpSession } from "#lib/connectors/mcp/protocol";
import { readResult } from "#lib/connectors/mcp/read-result";
import { endSession, type McpService, sendMessage } from "#lib/connectors/mcp/send-message";
import { type LeftOutTool, readTool, type ToolDefinition } from "#lib/connectors/mcp/tool-definition";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";

/** What a server offers. */
export interface ServerTools {
  server: McpServerInfo;
  tools: ToolDefinition[];
  leftOut: LeftOutTool[];
  /** How long the server says that the list stays valid; null if it does not say. */
  ttlMs: number | null;
}

const listed = z.object({
  tools: z.array(z.unknown()),
  nextCursor: z.union([z.string().max(4_096), z.number().transform(String)]).nullish(),
  ttlMs: z.number().nonnegative().optional().catch(undefined),
});

/** Lists the tools of a server in a session of its own, which is ended afterwards. */
export async function listTools(service: McpService): Promise<ServerTools> {
  const session = await openMcpSession(service);
  try {
    return { server: session.server, ...chooseTools(await readPages(service, session)) };
  } finally {
    await endSession(service, session);
  }
}

type Page = z.output<typeof listed>;

async function readPages(service: McpService, session: McpSession): Promise<Page[]> {
  const pages: Page[] = [];
  const asked = new Set<string>();
  let cursor: string | null | undefined;
  do {
    const params: JsonObject = cursor ? { cursor } : {};
    const answer = await sendMessage(service, session, { method: "tools/list", params });
    const page = listed.safeParse(readResult(service, answer));
    if (!page.success) throw new StepError("answer_unreadable", "The MCP server's list of tools can't be read");
    pages.push(page.data);
    cursor = page.data.nextCursor;
    // A server that leads back to a page would repeat it for ever.
    if (cursor && asked.has(cursor)) break;
    if (cursor) asked.add(cursor);
  } while (cursor && pages.length < LIMITS.mcpToolPages && countTools(pages) <= LIMITS.mcpTools);
  return pages;
}

function countTools(pages: readonly Page[]): number {
  return pages.reduce((count, { tools }) => count + tools.length, 0);
}

/** Keeps the first tools that fit into the limits; a name that appears twice means the first. */
function chooseTools(pages: readonly Page[]): Omit<ServerTools, "server"> {
  const tools = new Map<string, ToolDefinition>();
  const leftOut: LeftOutTool[] = [];
  let bytes = 0;
  for (const given of pages.flatMap((page) => page.tools).slice(0, 2 * LIMITS.mcpTools)) {
    const tool = readTool(given);
    if ("reason" in tool) {
      leftOut.push(tool);
      continue;
    }
    if (tools.has(tool.name)) continue;
    bytes += JSON.stringify(tool).length;
    if (tools.size < LIMITS.mcpTools && bytes <= LIMITS.mcpToolListBytes) tools.set(tool.name, tool);
    else leftOut.push({ name: tool.name, reason: "the server has too many tools, or they are too large together" });
  }
  const times = pages.flatMap(({ ttlMs }) => (ttlMs === undefined ? [] : [ttlMs]));
  const ttlMs = times.length === 0 ? null : Math.min(...times);
  return { tools: [...tools.values()], leftOut, ttlMs };
}
