import { type CallToolResult, Server, type Tool } from "@modelcontextprotocol/server";
import { retryAfterOf } from "#lib/api/admission/admit";
import { toApiError } from "#lib/api/admission/error-response";
import { decodeArguments } from "#lib/api/mcp/mcp-arguments";
import { complete } from "#lib/api/mcp/mcp-completions";
import { invalidParams, type McpExchange, withProtocolErrors } from "#lib/api/mcp/mcp-exchange";
import { findHint } from "#lib/api/mcp/mcp-hints";
import { writeInstructions } from "#lib/api/mcp/mcp-instructions";
import { getPrompt, listPrompts } from "#lib/api/mcp/mcp-prompts";
import { listResources, listResourceTemplates, readResource } from "#lib/api/mcp/mcp-resources";
import { toolFailure, toolSuccess } from "#lib/api/mcp/mcp-results";
import { listHidden, type McpTool, toolsFor } from "#lib/api/mcp/mcp-tools";
import { listTypedTools } from "#lib/api/mcp/mcp-typed-tools";
import { keepListedSchema, keepListedText } from "#lib/api/operations/agents/keep-listed";
import { authorizeKey, invoke } from "#lib/api/operations/define/define-operation";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { SERVER_INFO } from "#lib/contract/wire/server-info";
import { assertStorable } from "#lib/core/input/assert-storable";
import { listSuggestions } from "#lib/support/list-suggestions";

/** Caching for answers that depend only on the build and on the key's scopes. `private`, because they need a key. */
const BUILD_CACHE = { ttlMs: 60_000, cacheScope: "private" } as const;

/**
 * Creates a protocol server for one request of either era. It uses the low-level class on purpose: `McpServer` would
 * validate the arguments itself and answer in its own words, but the contract requires `{error, code, reason,
 * details?}`.
 */
export function buildMcpServer(tools: readonly McpTool[], exchange: McpExchange): Server {
  prepareExchange(tools, exchange);
  const { instructions } = whatKeySees(tools, exchange);
  const server = new Server(SERVER_INFO, {
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    instructions,
    cacheHints: {
      "tools/list": BUILD_CACHE,
      "server/discover": BUILD_CACHE,
      "resources/templates/list": BUILD_CACHE,
    },
  });
  serveTools(server, tools, exchange);
  serveActions(server, exchange);
  return server;
}

/**
 * Calls a tool without a protocol server.
 * @returns null if no operation has this name
 */
export async function callByName(
  tools: readonly McpTool[],
  { name, args }: { name: string; args: JsonObject },
  exchange: McpExchange,
): Promise<CallToolResult | null> {
  const tool = tools.find(({ definition }) => definition.name === name);
  if (!tool) return null;
  prepareExchange(tools, exchange);
  return callTool(tool, args, exchange);
}

/** Few answers depend on the tools that the key does not see, so those are listed when they are asked for. */
function prepareExchange(tools: readonly McpTool[], exchange: McpExchange): void {
  exchange.context.agent = {
    view: exchange.view,
    get hiddenTools() {
      return whatKeySees(tools, exchange).hiddenTools;
    },
  };
}

interface KeyView {
  hiddenTools: ReadonlySet<string>;
  instructions: string;
}

/** By the view, the list of tools, and the scopes: at most a few thousand. Every call has a server of its own. */
const keyViews = new WeakMap<readonly McpTool[], Map<string, KeyView>>();

function whatKeySees(tools: readonly McpTool[], exchange: McpExchange): KeyView {
  const views = keyViews.get(tools) ?? new Map<string, KeyView>();
  keyViews.set(tools, views);
  const { view, toolSet, caller } = exchange;
  const name = [view, toolSet, ...caller.scopes.toSorted()].join(" ");
  const known = views.get(name);
  if (known) return known;
  const hiddenTools = listHidden(tools, exchange);
  const seen = { hiddenTools, instructions: writeInstructions(view, hiddenTools) };
  views.set(name, seen);
  return seen;
}

function serveTools(server: Server, tools: readonly McpTool[], exchange: McpExchange): void {
  server.setRequestHandler("tools/list", ({ params }) => {
    if (params?.cursor !== undefined) throw invalidParams("Invalid cursor: the list has one page.");
    const hiddenTools = exchange.context.agent?.hiddenTools;
    return withProtocolErrors(exchange, async () => {
      const listed = toolsFor(tools, exchange).map((tool) => describeListed(tool.definition, hiddenTools));
      return { tools: [...listed, ...(await listTypedTools(exchange)).map((tool) => tool.definition)] };
    });
  });
  server.setRequestHandler("tools/call", async ({ params }) => {
    const isCalled = (tool: McpTool) => tool.definition.name === params.name;
    const tool =
      tools.find(isCalled) ?? (await withProtocolErrors(exchange, () => listTypedTools(exchange))).find(isCalled);
    if (!tool) {
      const { words } = listSuggestions(
        params.name,
        toolsFor(tools, exchange).map(({ definition }) => definition.name),
      );
      throw invalidParams(`Unknown tool: ${params.name.slice(0, 64)}${words}`);
    }
    return callTool(tool, params.arguments ?? {}, exchange);
  });
}

/** Returns a tool as its list shows it: its descriptions name only tools of the same list. */
export function describeListed(definition: Tool, hiddenTools: ReadonlySet<string> | undefined): Tool {
  const { description = "", inputSchema } = definition;
  return {
    ...definition,
    description: keepListedText(description, hiddenTools),
    inputSchema: keepListedSchema(inputSchema, hiddenTools),
  };
}

/** Registers actions and runs as clients show them to people: resources to attach and prompts to choose. */
function serveActions(server: Server, exchange: McpExchange): void {
  const serve = <Result>(work: () => Promise<Result>) => withProtocolErrors(exchange, work);
  server.setRequestHandler("resources/list", ({ params }) => serve(() => listResources(exchange, params?.cursor)));
  server.setRequestHandler("resources/templates/list", ({ params }) => {
    if (params?.cursor !== undefined) throw invalidParams("Invalid cursor: the list has one page.");
    return { resourceTemplates: listResourceTemplates(exchange) };
  });
  server.setRequestHandler("resources/read", ({ params }) => serve(() => readResource(exchange, params.uri)));
  server.setRequestHandler("prompts/list", ({ params }) => serve(() => listPrompts(exchange, params?.cursor)));
  server.setRequestHandler("prompts/get", ({ params }) =>
    serve(() => getPrompt(exchange, params.name, params.arguments ?? {})),
  );
  server.setRequestHandler("completion/complete", ({ params }) => serve(() => complete(exchange, params)));
}

/** Returns every failure of a tool and never throws: the protocol would send a thrown message as its own -32603. */
async function callTool(tool: McpTool, args: JsonObject, exchange: McpExchange): Promise<CallToolResult> {
  const { caller, context } = exchange;
  let input = args;
  try {
    authorizeKey(tool.operation, caller);
    const given = decodeArguments(tool.definition.inputSchema, args);
    input = tool.toInput?.(given) ?? given;
    assertStorable(input, { hasRunInput: true });
    return toolSuccess(await invoke(tool.operation, caller, input, context));
  } catch (thrown) {
    const error = toApiError(thrown, context.requestId);
    exchange.retryAfterSeconds = retryAfterOf(error);
    return toolFailure(error, await findHint(error, input, exchange));
  }
}
