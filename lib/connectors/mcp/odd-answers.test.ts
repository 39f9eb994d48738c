import { describe, expect, test } from "vitest";
import { listTools } from "#lib/connectors/mcp/list-tools";
import {
  answerJson,
  answerStream,
  callOddTool,
  oddFailureOf,
  useOddServers,
} from "#lib/connectors/mcp/odd-server.fixture";
import type { JsonObject } from "#lib/contract/wire/json-schema";

const start = useOddServers();

describe("a stream is read", () => {
  const done = (id: string | undefined) =>
    JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "done" }] } });
  const lines = (id: string | undefined) => JSON.stringify(JSON.parse(done(id)), null, 2).split("\n");

  test.each<[string, (id: string | undefined) => string]>([
    ["with lines that end in CRLF", (id) => `event: message\r\ndata: ${done(id)}\r\n\r\n`],
    ["with lines that end in CR", (id) => `event: message\rdata: ${done(id)}\r\r`],
    ["with comments around the reply", (id) => `: hello\n\n:\ndata: ${done(id)}\n: bye\n\n: end\n\n`],
    [
      "with the reply in several lines",
      (id) =>
        `${lines(id)
          .map((line) => `data: ${line}`)
          .join("\n")}\n\n`,
    ],
    ["without a space after the colon", (id) => `event:message\ndata:${done(id)}\n\n`],
    ["without an empty line at its end", (id) => `data: ${done(id)}`],
    ["with a byte order mark", (id) => `\uFEFFdata: ${done(id)}\n\n`],
    ["with another end behind the reply", (id) => `data: ${done(id)}\n\ndata: [DONE]\n\n`],
    ["with words in front of the reply", (id) => `event: ping\ndata: ping\n\ndata: ${done(id)}\n\n`],
    ["with empty events and unknown fields", (id) => `data\n\nfoo: bar\ndata: ${done(id)}\n\n`],
    ["with the reply to another request first", (id) => `data: ${done("other")}\n\ndata: ${done(id)}\n\n`],
    [
      "with notifications first",
      (id) => `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\ndata: ${done(id)}\n\n`,
    ],
  ])("%s", async (_name, write) => {
    const { service } = await start(({ message: { id } }, response) => answerStream(response, write(id)));
    expect(await callOddTool(service)).toMatchObject({ text: "done" });
  });

  test("and an error in it that names no request is the server's word about this one", async () => {
    const { service } = await start((_, response) =>
      answerStream(response, 'event: error\ndata: {"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad city"}}\n\n'),
    );
    expect(await oddFailureOf(service)).toMatchObject({ message: expect.stringContaining("Bad city") });
  });
});

describe("the content of a result is read in every form:", () => {
  test.each<[string, JsonObject, object]>([
    ["one item", { content: { type: "text", text: "a" } }, { text: "a" }],
    ["a text", { content: "a" }, { text: "a" }],
    ["texts", { content: ["a", "b"] }, { text: "a\nb" }],
    ["an item without a type", { content: [{ text: "a" }] }, { text: "a" }],
    ["an item that is nothing", { content: [{ type: "text", text: "a" }, null, 7] }, { text: "a" }],
    ["no content", {}, { text: "", data: null, content: [] }],
    ["nothing", { content: null }, { text: "", data: null, content: [] }],
    ["a list as structured content", { structuredContent: [1, { a: 2 }] }, { data: [1, { a: 2 }] }],
    ["a value as structured content", { structuredContent: 0, content: [] }, { data: 0 }],
    [
      "JSON without structured content",
      { content: '{"id":8202522731445525542}' },
      { data: { id: "8202522731445525542" } },
    ],
    [
      "links and files next to a text",
      {
        content: [
          { type: "resource_link", uri: "file:///a", name: "a" },
          { type: "text", text: "see a" },
          { type: "resource", resource: { uri: "file:///a", text: "hidden" } },
        ],
      },
      { text: "see a", data: null },
    ],
    ["a flag that is no failure", { isError: false, content: "a" }, { text: "a" }],
    ["an empty error next to it", { content: "a" }, { text: "a" }],
  ])("%s", async (_name, result, expected) => {
    const { service } = await start(({ message: { id } }, response) =>
      answerJson(response, { jsonrpc: "2.0", id, result, error: { code: 0, message: "" } }),
    );
    expect(await callOddTool(service)).toMatchObject(expected);
  });

  test("a reply with the status 202 counts", async () => {
    const { service } = await start(({ message: { id } }, response) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id, result: { content: "a" } });
      response.writeHead(202, { "content-type": "application/json" }).end(body);
    });
    expect(await callOddTool(service)).toMatchObject({ text: "a" });
  });

  test.each<[string, unknown]>([
    ["no result", {}],
    ["a result that is no object", { result: "a" }],
    ["the reply to another request", { id: "other", result: { content: "a" } }],
    ["words", "ok"],
  ])("%s is no success", async (_name, more) => {
    const { service } = await start(({ message: { id } }, response) =>
      answerJson(response, typeof more === "string" ? more : { jsonrpc: "2.0", id, ...(more as object) }),
    );
    expect(await oddFailureOf(service)).toMatchObject({ reason: "answer_unreadable" });
  });

  test("an error without an id or a version keeps its words", async () => {
    const { service } = await start((_, response) => answerJson(response, { error: "Invalid API key" }));
    expect(await oddFailureOf(service)).toMatchObject({ message: expect.stringContaining("Invalid API key") });
  });
});

describe("a list of tools in pages", () => {
  const list = (answer: (cursor: unknown) => JsonObject) =>
    start(({ message }, response) => {
      const { cursor } = message.params ?? {};
      return answerJson(response, { jsonrpc: "2.0", id: message.id, result: answer(cursor) });
    });
  const named = (...names: string[]) => names.map((name) => ({ name, inputSchema: { type: "object" } }));

  test("ends if the server leads back to a page", async () => {
    const { service, seen } = await list((cursor) => ({
      tools: named(cursor === "b" ? "two" : "one"),
      nextCursor: cursor === "a" ? "b" : "a",
    }));
    expect((await listTools(service)).tools.map(({ name }) => name)).toEqual(["one", "two"]);
    expect(seen.filter(({ message }) => message.method === "tools/list")).toHaveLength(3);
  });

  test("may count them, and has every name once, whatever letters it has", async () => {
    const { service } = await list((cursor) => ({
      tools: cursor === "2" ? named("größe.berechnen", "a/b") : named("a/b", "db.query", "数据"),
      nextCursor: cursor === "2" ? "" : 2,
    }));
    expect((await listTools(service)).tools.map(({ name }) => name)).toEqual([
      ...["a/b", "db.query", "数据", "größe.berechnen"],
    ]);
  });
});

test.each([301, 302, 307, 308])(
  "an address that is moved on its host with %i is called there as before",
  async (moved) => {
    const { service } = await start(
      ({ message: { id } }, response) => answerJson(response, { jsonrpc: "2.0", id, result: { content: "moved" } }),
      { moved },
    );
    expect(await callOddTool(service)).toMatchObject({ text: "moved" });
  },
);

describe("a server that opens a session", () => {
  const answer: Parameters<typeof start>[0] = ({ message: { id } }, response) =>
    answerJson(response, { jsonrpc: "2.0", id, result: { content: "open" } });

  test.each<[string, JsonObject]>([
    ["does not say who it is", { protocolVersion: "2025-06-18", capabilities: {} }],
    ["says it in a form of its own", { protocolVersion: "2024-11-05", serverInfo: "odd" }],
  ])("may be one that %s", async (_name, opened) => {
    const { service } = await start(answer, { opened });
    expect(await callOddTool(service)).toMatchObject({ text: "open" });
  });

  test.each<[string, JsonObject, RegExp]>([
    ["a revision that no one knows", { protocolVersion: "1.0" }, /MCP version 1\.0, which Signalbox does not support/],
    ["no revision", {}, /did not answer "initialize"/],
    ["a number as revision", { protocolVersion: 2025 }, /did not answer "initialize"/],
  ])("with %s is refused", async (_name, opened, message) => {
    const { service } = await start(answer, { opened });
    await expect(callOddTool(service)).rejects.toThrow(message);
  });
});
