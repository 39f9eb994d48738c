import type { JsonObject } from "#lib/contract/wire/json-schema";

/** A tool's answer, as an agent reads it. */
export interface ToolAnswer {
  isError: boolean;
  body: JsonObject;
}

export type CallTool = (name: string, args: object) => Promise<ToolAnswer>;

/** Calls the tools of an MCP endpoint over HTTP, one request per call. */
export function mcpCaller(url: string, headers: Record<string, string>): CallTool {
  return async (name, args) => {
    const params = { name, arguments: args };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const response = await fetch(url, { method: "POST", headers, body });
    const { result, error } = await response.json();
    if (!result) throw new Error(`${name}: ${JSON.stringify(error)}`);
    return { isError: result.isError === true, body: JSON.parse(result.content[0].text) };
  };
}

/** @throws Error if the tool refuses the call */
export async function callOrThrow(call: CallTool, name: string, args: object): Promise<JsonObject> {
  const { isError, body } = await call(name, args);
  if (isError) throw new Error(`${name}: ${JSON.stringify(body).slice(0, 2_000)}`);
  return body;
}
