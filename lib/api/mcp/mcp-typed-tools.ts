import { createHash } from "node:crypto";
import type { Tool } from "@modelcontextprotocol/server";
import { listActiveActions } from "#lib/api/mcp/mcp-actions";
import type { McpExchange } from "#lib/api/mcp/mcp-exchange";
import { RUN_OUTPUT } from "#lib/api/mcp/mcp-schemas";
import { annotationsOf, type McpTool } from "#lib/api/mcp/mcp-tools";
import { runActionOperation } from "#lib/api/operations/actions";
import type { Operation } from "#lib/api/operations/define/define-operation";
import type { ActionObject } from "#lib/contract/action";
import type { InputSchema } from "#lib/contract/json-schema";

/** decisions, MCP: every tool is paid for in every conversation. */
const MAX_TYPED_TOOLS = 20;
const PREFIX = "action_";
/** Clients refuse longer names. */
const NAME_LENGTH = 64;
const DIGEST_LENGTH = 8;
/** Models' providers refuse a tool whose parameters are called otherwise. */
const PARAMETER_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * Which actions the endpoint's URL asks to have as tools of their own (decisions, MCP): `?typed_actions=all`, or a comma
 * list of slugs. In the URL, because that is what every client lets a person write, for each connection anew.
 */
export function readTypedActions(url: string): McpExchange["typedActions"] {
  const asked = new URL(url).searchParams.get("typed_actions")?.trim() ?? "";
  if (asked === "" || asked === "false") return null;
  if (asked === "all" || asked === "true") return "all";
  return asked.split(",").map((slug) => slug.trim());
}

/**
 * The tools of the actions that were asked for, among those that the key may see: at most 20, the newest first, listed by
 * their names. An action that is paused or whose parameters no model could name has none; run_action reaches it.
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
  const tools = chosen.slice(0, MAX_TYPED_TOOLS).map(describeTypedTool);
  return tools.toSorted((a, b) => (a.definition.name < b.definition.name ? -1 : 1));
}

function isChosen({ slug, inputSchema }: ActionObject, asked: "all" | readonly string[]): boolean {
  if (asked !== "all" && !asked.includes(slug)) return false;
  return Object.keys(inputSchema.properties).every((name) => PARAMETER_NAME.test(name));
}

function describeTypedTool({ slug, name, description, inputSchema, outputSchema }: ActionObject): McpTool {
  const operation: Operation = runActionOperation;
  const definition: Tool = {
    name: typedToolName(slug),
    title: name,
    description:
      `${description ?? name}\nStarts a run of the action ${slug} and returns at once with its run_id; ` +
      "wait_for_run gives its output.",
    inputSchema: {
      type: "object",
      properties: parametersOf(inputSchema),
      ...(inputSchema.required.length > 0 ? { required: inputSchema.required } : {}),
    },
    outputSchema: outputSchema
      ? { ...RUN_OUTPUT, properties: { ...RUN_OUTPUT.properties, output: { anyOf: [outputSchema, { type: "null" }] } } }
      : RUN_OUTPUT,
    annotations: annotationsOf(operation, name),
  };
  return { operation, definition, toInput: (args) => ({ slug, input: args }) };
}

/** Some clients refuse an array that does not say what it holds. */
function parametersOf({ properties }: InputSchema): NonNullable<Tool["inputSchema"]["properties"]> {
  const entries = Object.entries(properties).map(([name, property]) => {
    return [name, property.type === "array" && !property.items ? { ...property, items: {} } : property];
  });
  return Object.fromEntries(entries);
}

/** `action_<slug>`, so that no slug can shadow a tool; a slug too long for a name is cut and told apart by its digest. */
export function typedToolName(slug: string): string {
  const name = `${PREFIX}${slug}`;
  if (name.length <= NAME_LENGTH) return name;
  const digest = createHash("sha256").update(slug).digest("hex").slice(0, DIGEST_LENGTH);
  return `${name.slice(0, NAME_LENGTH - DIGEST_LENGTH - 1)}_${digest}`;
}
