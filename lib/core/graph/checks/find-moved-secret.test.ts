import { describe, expect, test } from "vitest";
import type { Definition, GraphNode } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import { findMovedSecret } from "#lib/core/graph/checks/find-moved-secret";
import { keepSecrets } from "#lib/core/graph/checks/keep-secrets";
import { maskDefinition } from "#lib/core/graph/checks/typed-secrets";

const node = (id: string, type: GraphNode["type"], data: JsonObject): GraphNode => ({
  id,
  type,
  position: { x: 0, y: 0 },
  data,
});
const graph = (...nodes: GraphNode[]): Definition => ({
  nodes: [node("in", "action_input", { properties: [] }), ...nodes],
  edges: [],
});

const request = (params: JsonObject) =>
  node("ask", "connector", { connector: "http", operation: "request", connection_id: null, params });
const http = (params: JsonObject = {}) =>
  request({ method: "GET", url: "https://shop.example/orders", headers: { "x-api-key": "abc-123" }, ...params });
const service = (connector: string, operation: string, params: JsonObject) =>
  node("send", "connector", { connector, operation, connection_id: "c1", params });

/** What a caller finds who reads the masked definition and sends it back with a change. */
function moveAfter(before: Definition, change: (nodes: GraphNode[]) => GraphNode[]) {
  const shown = maskDefinition(before);
  const moved = findMovedSecret(keepSecrets({ ...shown, nodes: change(structuredClone(shown.nodes)) }, before), before);
  return moved && `${moved.node.id}: ${moved.changedId}.${moved.field}`;
}

/** Replaces the settings of one step. */
const withData = (id: string, data: JsonObject) => (nodes: GraphNode[]) =>
  nodes.map((each) => (each.id === id ? { ...each, data: { ...each.data, ...data } } : each));
const withParams = (id: string, params: JsonObject) => (nodes: GraphNode[]) =>
  nodes.map((each) =>
    each.id === id
      ? { ...each, data: { ...each.data, params: { ...(each.data.params as JsonObject), ...params } } }
      : each,
  );

describe("a secret moves with whatever decides its recipient", () => {
  const mail = () => service("email", "send", { to: "ann@shop.example", subject: "Key", text: "token=abcdef" });
  const typedMail = () =>
    graph(service("email", "send", { to: "a@b.example", text: "Bearer abc123def", subject: "s" }));
  const chat = () => graph(service("telegram", "send_message", { chat_id: "1", text: "Bearer abc123def" }));

  test.each<[string, Definition, (nodes: GraphNode[]) => GraphNode[], string]>([
    [
      "the address of a request",
      graph(http()),
      withParams("ask", { url: "https://evil.example" }),
      "ask: ask.params.url",
    ],
    [
      "another header",
      graph(http()),
      withParams("ask", { headers: { "x-api-key": "[REDACTED]", host: "evil.example" } }),
      "ask: ask.params.headers.host",
    ],
    ["the connector", graph(http()), withData("ask", { connector: "my-own" }), "ask: ask.connector"],
    ["the connection", graph(http()), withData("ask", { connection_id: "c2" }), "ask: ask.connection_id"],
    ["the recipient of an email", typedMail(), withParams("send", { to: "evil@evil.example" }), "send: send.params.to"],
    ["a further recipient", typedMail(), withParams("send", { bcc: "evil@evil.example" }), "send: send.params.bcc"],
    ["a chat", chat(), withParams("send", { chat_id: "666" }), "send: send.params.chat_id"],
    [
      "text around the mask",
      chat(),
      withParams("send", { text: "Bearer [REDACTED] and more" }),
      "send: send.params.text",
    ],
    [
      "a step that names the host",
      graph(
        node("cfg", "transform", { fields: [{ name: "host", value: "{{base.host}}" }] }),
        node("base", "transform", { fields: [{ name: "host", value: "shop.example" }] }),
        http({ url: "https://{{cfg.host}}/orders" }),
      ),
      withData("base", { fields: [{ name: "host", value: "evil.example" }] }),
      "ask: base.fields.0.value",
    ],
    [
      "a step that names the recipient and is replaced",
      graph(
        node("cfg", "transform", { fields: [] }),
        service("email", "send", { to: "{{cfg.to}}", text: "Bearer abc123def" }),
      ),
      (nodes) => nodes.filter(({ id }) => id !== "cfg"),
      "send: cfg.id",
    ],
    [
      "the parameters next to a secret in the body",
      graph(http({ headers: {}, body: { password: "hunter2", forward_to: "a" } })),
      withParams("ask", { body: { password: "[REDACTED]", forward_to: "evil" } }),
      "ask: ask.params.body.forward_to",
    ],
  ])("%s", (_what, before, change, expected) => {
    expect(moveAfter(before, change)).toBe(expected);
  });

  test("an operation that leaves the secret in the step is found without a mask, also after a rename", () => {
    const before = graph(mail(), http());
    const moved = (nodes: GraphNode[]) => findMovedSecret({ ...before, nodes }, before);
    expect(moved(withParams("ask", { url: "https://evil.example" })(before.nodes))).toMatchObject({
      field: "params.url",
    });
    const renamed = before.nodes.map((each) => (each.id === "ask" ? { ...each, id: "other" } : each));
    expect(moved(renamed)).toBeNull();
    expect(moved(withParams("other", { url: "https://evil.example" })(renamed))).toMatchObject({ changedId: "other" });
  });

  test("an operation that also renames a step, which rewrites the text with the secret, is found", () => {
    const before = graph(service("email", "send", { to: "a@b.example", text: "Bearer abc123def, {{in.name}}" }));
    const changed = withParams("send", { to: "evil@evil.example", text: "Bearer abc123def, {{start.name}}" })(
      before.nodes,
    );
    expect(findMovedSecret({ ...before, nodes: changed }, before)).toMatchObject({ field: "params.to" });
  });
});

describe("a secret stays", () => {
  test.each<[string, Definition, (nodes: GraphNode[]) => GraphNode[]]>([
    ["nothing changed", graph(http()), (nodes) => nodes],
    ["name, retries and position", graph(http()), withData("ask", { name: "Ask again", maxRetries: 3 })],
    [
      "what the request sends to its address",
      graph(http()),
      withParams("ask", { method: "POST", body: { a: 1 }, query: { b: 2 } }),
    ],
    [
      "another step, and one that only names a part of the path",
      graph(node("cfg", "transform", { fields: [] }), http({ url: "https://shop.example/{{cfg.path}}" })),
      withData("cfg", { fields: [{ name: "path", value: "x" }] }),
    ],
    ["the step is removed", graph(http()), (nodes) => nodes.filter(({ id }) => id !== "ask")],
    [
      "the caller sends their own value to their own address",
      graph(http()),
      withParams("ask", { url: "https://mine.example", headers: { "x-api-key": "mine-456" } }),
    ],
  ])("%s", (_what, before, change) => {
    expect(moveAfter(before, change)).toBeNull();
  });
});
