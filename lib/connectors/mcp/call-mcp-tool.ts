import { z } from "zod";
import { paramHeaders } from "#lib/connectors/mcp/param-headers";
import type { McpSession } from "#lib/connectors/mcp/protocol";
import { readResult } from "#lib/connectors/mcp/read-result";
import { runTask } from "#lib/connectors/mcp/run-task";
import { type McpService, sendMessage } from "#lib/connectors/mcp/send-message";
import type { ToolDefinition } from "#lib/connectors/mcp/tool-definition";
import { errorWords } from "#lib/connectors/sdk/error-words";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { AnsweredError } from "#lib/core/engine/answered-error";
import type { NoteLongNumber } from "#lib/support/exact-json";
import { isJsonObject } from "#lib/support/json";
import { parseBoundedJson } from "#lib/support/scan-json";

const WORDS_CHARACTERS = 500;

/** The output of a step that calls a tool. */
export interface ToolOutput {
  /** The structured content; of a tool that has none, the JSON of its text; otherwise null. */
  data: unknown;
  /** The texts of the content, joined by line breaks. */
  text: string;
  /** Every item of the content, as the server sent it. */
  content: JsonObject[];
}

/** Servers also send one item, or texts, in place of a list of items. */
function itemsIn(content: unknown): JsonObject[] {
  return [content].flat().flatMap((item: unknown) => {
    if (typeof item === "string") return [{ type: "text", text: item }];
    return isJsonObject(item) ? [item] : [];
  });
}

const resultSchema = z.object({
  content: z.unknown().optional().transform(itemsIn),
  structuredContent: z.unknown().optional(),
  isError: z.unknown().optional(),
  resultType: z.string().catch("complete"),
  inputRequests: z.unknown().optional(),
});

/**
 * Calls a tool.
 * @throws StepError
 */
export async function callMcpTool(
  service: McpService,
  session: McpSession,
  tool: ToolDefinition,
  params: JsonObject,
): Promise<ToolOutput> {
  const headers = session.era === "modern" ? paramHeaders(tool.inputSchema, params) : {};
  const request = { method: "tools/call", params: { name: tool.name, arguments: params }, headers };
  const result =
    tool.isTask && session.era === "legacy"
      ? await runTask(service, session, request)
      : readResult(service, await sendMessage(service, session, request));
  return readOutput(tool.name, result, (path) => service.noteNumber?.("data", path));
}

function readOutput(name: string, result: JsonObject, onKept: NoteLongNumber): ToolOutput {
  const read = resultSchema.parse(result);
  if (read.resultType !== "complete") {
    const message = `The tool ${name} asks for ${describeRequests(read.inputRequests)}, which a running workflow can't provide`;
    throw new AnsweredError("tool_failed", message);
  }
  const text = textOf(read.content);
  if (read.isError === true || read.isError === "true" || read.isError === 1) {
    const words = (text.trim() || structuredWords(read.structuredContent)).slice(0, WORDS_CHARACTERS);
    const body = text.trim() === "" ? (read.structuredContent ?? text) : text;
    throw new AnsweredError("tool_failed", `The tool ${name} failed: ${words}`, { body });
  }
  return { data: read.structuredContent ?? parseText(read.content, onKept), text, content: read.content };
}

/** A tool may say why it failed in its structured content only. */
function structuredWords(structured: unknown): string {
  if (structured === undefined || structured === null) return "it gave no reason";
  if (typeof structured === "string") return structured;
  const json = JSON.stringify(structured);
  return errorWords({ body: Buffer.from(json) }) ?? json;
}

function textOf(content: readonly JsonObject[]): string {
  return content.flatMap((item) => textIn(item) ?? []).join("\n");
}

function textIn({ type = "text", text }: JsonObject): string | null {
  return type === "text" && typeof text === "string" ? text : null;
}

/** Many servers describe no structure and send JSON as their only text. */
function parseText(content: readonly JsonObject[], onKept: NoteLongNumber): unknown {
  const [only, ...others] = content;
  const text = only && others.length === 0 ? textIn(only) : null;
  if (text === null || !/^\s*[[{]/.test(text)) return null;
  try {
    return parseBoundedJson(text, onKept);
  } catch {
    return null;
  }
}

const WANTED: Record<string, string> = {
  "elicitation/create": "an answer from a person",
  "sampling/createMessage": "an answer from a model",
  "roots/list": "the client's folders",
};

/** The stateless era returns what the server wants to know, instead of asking while it works. */
function describeRequests(requests: unknown): string {
  const asked = Object.values(isJsonObject(requests) ? requests : {}).filter(isJsonObject);
  const names = asked.map(({ method }) => WANTED[String(method)] ?? String(method).slice(0, 60));
  return [...new Set(names)].slice(0, 3).join(" and ") || "more input";
}

/** @throws StepError VALIDATION_ERROR if the params are not an object */
export function toolArguments(params: unknown): JsonObject {
  if (isJsonObject(params)) return params;
  throw new StepError("VALIDATION_ERROR", "params: must be an object");
}
