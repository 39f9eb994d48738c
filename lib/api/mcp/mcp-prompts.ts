import type { GetPromptResult, ListPromptsResult, PromptArgument } from "@modelcontextprotocol/server";
import { findAction, listActiveActions } from "#lib/api/mcp/mcp-actions";
import { invalidParams, type McpExchange } from "#lib/api/mcp/mcp-exchange";
import { keepListed } from "#lib/api/operations/agents/keep-listed";
import type { ActionObject } from "#lib/contract/action/action";
import type { JsonObject, PropertySchema } from "#lib/contract/wire/json-schema";
import { currentSchema } from "#lib/core/input/input-aliases";
import { readTypedJson } from "#lib/core/input/read-typed-json";
import { setOwn } from "#lib/support/json";

/**
 * Returns one prompt for each active action. It explains how to call the action and takes its input properties as
 * arguments.
 */
export async function listPrompts(exchange: McpExchange, cursor: string | undefined): Promise<ListPromptsResult> {
  const { actions, nextCursor } = await listActiveActions(exchange, cursor);
  return { prompts: actions.map(describePrompt), ...nextCursor };
}

function describePrompt({ slug, name, description, inputSchema: published }: ActionObject) {
  const inputSchema = currentSchema(published);
  const args: PromptArgument[] = Object.entries(inputSchema.properties).map(([argument, property]) => ({
    name: argument,
    description: describeArgument(property),
    required: inputSchema.required.includes(argument),
  }));
  return { name: slug, title: name, description: description || `Run the action ${name}.`, arguments: args };
}

/** Describes the type in words, because prompt arguments are always text. */
function describeArgument({ type, description, enum: values }: PropertySchema): string {
  const choice = values ? `, one of ${values.map((value) => JSON.stringify(value)).join(", ")}` : "";
  const form = type === "object" || type === "array" ? `${type} as JSON` : type;
  return `${description ? `${description} ` : ""}(${form}${choice})`;
}

/** @throws ProtocolError for an unknown prompt or a missing required argument; ApiError FORBIDDEN */
export async function getPrompt(
  exchange: McpExchange,
  name: string,
  args: Record<string, string>,
): Promise<GetPromptResult> {
  const action = await findAction(exchange, name);
  if (action?.status !== "active") throw invalidParams(`Unknown prompt: ${name.slice(0, 64)}`);
  const missing = currentSchema(action.inputSchema).required.filter((property) => !Object.hasOwn(args, property));
  if (missing.length > 0) throw invalidParams(`Missing required arguments: ${missing.join(", ")}`);
  const hiddenTools = exchange.context.agent?.hiddenTools;
  const call = JSON.stringify({ slug: action.slug, input: inputOf(action, args) });
  const text = [
    `Run the action ${action.slug} (${action.name}${action.description ? `: ${action.description}` : ""}).`,
    ...keepListed(["Call run_action with"], hiddenTools).map((start) => `${start} ${call}.`),
    ...keepListed(
      ["Then call wait_for_run with the run_id until the run has ended or is waiting_for_approval."],
      hiddenTools,
    ),
    "Report its output, or the code, message and step of its error.",
    `The input must match this schema: ${JSON.stringify(action.inputSchema)}`,
  ].join("\n");
  return { description: action.name, messages: [{ role: "user", content: { type: "text", text } }] };
}

function inputOf({ inputSchema }: ActionObject, args: Record<string, string>): JsonObject {
  const input: JsonObject = {};
  for (const [name, property] of Object.entries(inputSchema.properties)) {
    const text = Object.hasOwn(args, name) ? args[name] : undefined;
    if (text !== undefined) setOwn(input, name, parseArgument(property, text));
  }
  return input;
}

/** Text that does not match its type stays text: input validation reports what is wrong with it. */
function parseArgument({ type }: PropertySchema, text: string): unknown {
  if (type === "string") return text;
  const { value, problem } = readTypedJson(text);
  return problem === null ? value : text;
}
