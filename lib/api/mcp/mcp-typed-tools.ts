import { createHash } from "node:crypto";
import type { Tool } from "@modelcontextprotocol/server";
import { asTool } from "#lib/api/mcp/forms/tool-forms";
import { listActiveActions } from "#lib/api/mcp/mcp-actions";
import type { McpExchange } from "#lib/api/mcp/mcp-exchange";
import { RUN_OUTPUT } from "#lib/api/mcp/mcp-schemas";
import { annotationsOf, type McpTool } from "#lib/api/mcp/mcp-tools";
import { keepListed } from "#lib/api/operations/agents/keep-listed";
import { runActionOperation } from "#lib/api/operations/calls/run-action";
import type { RequestContext } from "#lib/api/operations/define/caller";
import type { ActionObject } from "#lib/contract/action/action";
import type { JsonObject, PropertySchema } from "#lib/contract/wire/json-schema";
import { currentSchema } from "#lib/core/input/input-aliases";

/** The most typed tools (decisions, MCP): every tool costs tokens in every conversation. */
const MAX_TYPED_TOOLS = 20;
const PREFIX = "action_";
/** Clients refuse longer names. */
const NAME_LENGTH = 64;
const DIGEST_LENGTH = 8;
/** The parameter that makes calls repeatable. If the action has an input of this name, the name means the input. */
const REPEAT_KEY = "idempotency_key";
const REPEAT_SCHEMA = { type: "string", description: "Calls with the same key create one run." };
/** Model providers refuse a tool with other parameter names. */
const PARAMETER_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * Reads which actions the endpoint's URL requests as typed tools (decisions, MCP): `?typed_actions=all`, or a
 * comma-separated list of slugs. It is in the URL because every client lets a user edit the URL of each connection.
 */
export function readTypedActions(query: URLSearchParams): McpExchange["typedActions"] {
  const asked = query.get("typed_actions")?.trim() ?? "";
  if (asked === "" || asked === "false") return null;
  if (asked === "all" || asked === "true") return "all";
  return asked.split(",").map((slug) => slug.trim());
}

/**
 * Returns the tools of the requested actions that the key may see: at most 20, the newest first, listed by name. A
 * paused action, or one with a parameter that model providers refuse, has no typed tool; run_action can call the
 * latter.
 */
export async function listTypedTools(exchange: McpExchange): Promise<McpTool[]> {
  const { typedActions } = exchange;
  if (typedActions === null) return [];
  const chosen: ActionObject[] = [];
  let cursor: string | undefined;
  do {
    const page = await listActiveActions(exchange, cursor);
    chosen.push(...page.actions.filter((action) => isChosen(action, typedActions)));
    cursor = page.nextCursor.nextCursor;
  } while (cursor !== undefined && chosen.length < MAX_TYPED_TOOLS);
  const tools = chosen.slice(0, MAX_TYPED_TOOLS).map((action) => describeTypedTool(action, exchange.context));
  return tools.toSorted((a, b) => (a.definition.name < b.definition.name ? -1 : 1));
}

function isChosen({ slug, inputSchema }: ActionObject, asked: "all" | readonly string[]): boolean {
  if (asked !== "all" && !asked.includes(slug)) return false;
  return hasParameterNames({ properties: currentSchema(inputSchema).properties });
}

/**
 * Lists the current names of the fields only: a client reads the tool before each use, and model providers refuse the
 * keywords that allow either name. A call with an old name still works.
 */
function describeTypedTool(
  { slug, name, description, inputSchema: published, outputSchema }: ActionObject,
  { agent }: RequestContext,
): McpTool {
  const effect = [
    `Starts a run of the action ${slug} and returns at once with its run_id.`,
    "wait_for_run returns its output.",
  ];
  const inputSchema = currentSchema(published);
  const takesKey = !Object.hasOwn(published.properties, REPEAT_KEY);
  const parameters = { ...parametersOf(inputSchema.properties), ...(takesKey ? { [REPEAT_KEY]: REPEAT_SCHEMA } : {}) };
  const { operation } = asTool(runActionOperation);
  const definition: Tool = {
    name: typedToolName(slug),
    title: name,
    description: `${description ?? name}\n${keepListed(effect, agent?.hiddenTools).join(" ")}`,
    inputSchema: {
      type: "object",
      properties: parameters as Tool["inputSchema"]["properties"],
      ...(inputSchema.required.length > 0 ? { required: inputSchema.required } : {}),
    },
    outputSchema: outputSchema
      ? { ...RUN_OUTPUT, properties: { ...RUN_OUTPUT.properties, output: { anyOf: [outputSchema, { type: "null" }] } } }
      : RUN_OUTPUT,
    annotations: annotationsOf(operation),
  };
  return { operation, definition, toInput: (args) => (takesKey ? takeKey(slug, args) : { slug, input: args }) };
}

function takeKey(slug: string, { [REPEAT_KEY]: key, ...input }: JsonObject): JsonObject {
  return key === undefined ? { slug, input } : { slug, input, [REPEAT_KEY]: key };
}

function parametersOf(properties: Record<string, PropertySchema>): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, parameterOf(property)]));
}

/**
 * Some clients refuse an array without a schema for its items, and some model providers refuse the lengths and patterns
 * of texts. The call checks those and says what is wrong.
 */
function parameterOf({ minLength: _min, maxLength: _max, pattern: _pattern, ...property }: PropertySchema): JsonObject {
  const { type, items, properties } = property;
  return {
    ...property,
    ...(type === "array" ? { items: items ? parameterOf(items) : {} } : {}),
    ...(properties ? { properties: parametersOf(properties) } : {}),
  };
}

function hasParameterNames({ properties = {}, items }: Partial<PropertySchema>): boolean {
  const inner = [...Object.values(properties), ...(items ? [items] : [])];
  return Object.keys(properties).every((name) => PARAMETER_NAME.test(name)) && inner.every(hasParameterNames);
}

/**
 * Returns `action_<slug>`, so that no slug can shadow a tool. A slug that is too long is cut and made unique by its
 * digest.
 */
export function typedToolName(slug: string): string {
  const name = `${PREFIX}${slug}`;
  if (name.length <= NAME_LENGTH) return name;
  const digest = createHash("sha256").update(slug).digest("hex").slice(0, DIGEST_LENGTH);
  return `${name.slice(0, NAME_LENGTH - DIGEST_LENGTH - 1)}_${digest}`;
}
