import type { CompleteRequestParams, CompleteResult } from "@modelcontextprotocol/server";
import { findAction, listActiveActions } from "#lib/api/mcp/mcp-actions";
import type { McpExchange } from "#lib/api/mcp/mcp-exchange";
import { RESOURCE_TEMPLATES } from "#lib/api/mcp/mcp-resources";
import { getActionOperation } from "#lib/api/operations/actions";
import { invoke } from "#lib/api/operations/define/define-operation";
import { isAuthorized } from "#lib/api/operations/define/is-authorized";
import { listRunsOperation } from "#lib/api/operations/runs/runs";
import { LIMITS } from "#lib/contract/limits";
import type { PropertySchema } from "#lib/contract/wire/json-schema";
import { STEP_TYPES } from "#lib/core/steps/step-kinds";

/** The most values in a completion (MCP, Completion). */
const MAX_VALUES = 100;

/**
 * Returns completions for an argument that is being typed: slugs, the newest run ids, node types, and the values of an
 * action's enum or boolean. If the key may not read something, there are no completions for it and no error.
 */
export async function complete(exchange: McpExchange, params: CompleteRequestParams): Promise<CompleteResult> {
  const { ref, argument } = params;
  const known =
    ref.type === "ref/prompt"
      ? await listValues(exchange, ref.name, argument.name)
      : await listNames(exchange, ref.uri, argument);
  const matching = known.filter((value) => value.startsWith(argument.value));
  const values = matching.slice(0, MAX_VALUES);
  return { completion: { values, total: matching.length, hasMore: matching.length > values.length } };
}

async function listNames(
  exchange: McpExchange,
  uri: string,
  { name, value }: CompleteRequestParams["argument"],
): Promise<string[]> {
  const template = RESOURCE_TEMPLATES.find(({ uriTemplate, variable }) => uriTemplate === uri && variable === name);
  if (template?.name === "action") {
    // Longer than any slug; a longer filter would be invalid.
    if (value.length > 64) return [];
    const { actions } = await listActiveActions(exchange, undefined, { q: value });
    return actions.map(({ slug }) => slug);
  }
  if (template?.name === "run") return listRunIds(exchange);
  return template?.name === "node" ? [...STEP_TYPES] : [];
}

async function listRunIds({ caller, context }: McpExchange): Promise<string[]> {
  if (!isAuthorized(listRunsOperation, caller)) return [];
  const page = await invoke(listRunsOperation, caller, { limit: LIMITS.pageSizeMax }, context);
  return page.data.map((run) => run.run_id);
}

/** Returns the values of one of an action's properties if its schema lists them. */
async function listValues(exchange: McpExchange, slug: string, name: string): Promise<string[]> {
  if (!isAuthorized(getActionOperation, exchange.caller)) return [];
  const action = await findAction(exchange, slug);
  const properties = action?.inputSchema.properties ?? {};
  const property: PropertySchema | undefined = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (property?.type === "boolean") return ["true", "false"];
  return (property?.enum ?? []).map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
}
