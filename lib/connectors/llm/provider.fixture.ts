import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface ProviderRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  /** True if the caller closed the connection before the response was complete. */
  isDropped: boolean;
}

interface ProviderAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Sent as it is, in place of the body. */
  text?: string;
  /** Sends the headers and the first bytes, but never the rest. */
  isEndless?: boolean;
}

/** A server that supports both APIs as their vendors document them, and returns prepared responses. */
export interface TestProvider {
  url: string;
  /** The API key that the server accepts. */
  key: string;
  requests: ProviderRequest[];
  /** Responses to return one by one. After the last one, the provider answers "Hello". */
  answers: ProviderAnswer[];
  close(): void;
}

const MODELS = { object: "list", data: [{ id: "model-b" }, { id: "model-a" }] };

export const chatCompletion = (content: string | null, more: Record<string, unknown> = {}): ProviderAnswer => ({
  body: {
    id: "chatcmpl-1",
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content, refusal: null }, finish_reason: "stop", ...more }],
    usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
  },
});

export const anthropicMessage = (text: string, more: Record<string, unknown> = {}): ProviderAnswer => ({
  body: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Let me see.", signature: "x" },
      { type: "text", text },
    ],
    stop_reason: "end_turn",
    usage: { input_tokens: 10, cache_read_input_tokens: 2, output_tokens: 3 },
    ...more,
  },
});

/** For tests: starts a provider on loopback that requires this key. */
export async function startProvider(key: string): Promise<TestProvider> {
  const requests: ProviderRequest[] = [];
  const answers: ProviderAnswer[] = [];
  const server = createServer(async (incoming, response) => {
    const { method = "", url: path = "", headers } = incoming;
    let text = "";
    for await (const chunk of incoming) text += chunk;
    const request = { method, path, headers, body: text === "" ? {} : JSON.parse(text), isDropped: false };
    requests.push(request);
    response.on("close", () => {
      request.isDropped = !response.writableFinished;
    });
    reply(response, answerTo(request));
  });
  const answerTo = ({ path, headers }: ProviderRequest): ProviderAnswer => {
    const isAnthropic = path.startsWith("/v1/messages") || headers["x-api-key"] !== undefined;
    const given = headers.authorization?.replace("Bearer ", "") ?? headers["x-api-key"];
    if (given !== provider.key) return { status: 401, body: wrongKey(isAnthropic) };
    if (path.includes("/models")) return { body: MODELS };
    return answers.shift() ?? (isAnthropic ? anthropicMessage("Hello") : chatCompletion("Hello"));
  };
  // A test that blocks the event loop for longer than the default must not lose its connection.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const provider: TestProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    requests,
    answers,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return provider;
}

function wrongKey(isAnthropic: boolean): unknown {
  if (isAnthropic) return { type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } };
  return { error: { message: "Incorrect API key provided: sk-te***.", type: "invalid_request_error", code: "x" } };
}

function reply(
  response: ServerResponse,
  { status = 200, headers = {}, body = {}, text, isEndless }: ProviderAnswer,
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  if (isEndless) response.write('{"id": "chatc');
  else response.end(text ?? JSON.stringify(body));
}
