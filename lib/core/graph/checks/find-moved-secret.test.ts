import { describe, expect, test } from "vitest";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
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

describe("a step that reads a secret from an output must not be added or send it elsewhere", () => {
  const settings = (value = "abc-123") =>
    node("cfg", "transform", {
      fields: [
        { name: "host", value: "shop.example" },
        { name: "api_key", value },
      ],
    });
  const reading = () => http({ headers: { "x-api-key": "{{cfg.api_key}}" } });
  const add = (type: GraphNode["type"], data: JsonObject) => (nodes: GraphNode[]) => [
    ...nodes,
    node("new", type, data),
  ];
  const output = (value: string) => add("return_output", { properties: [{ name: "x", type: "string", value }] });

  test.each<[string, Definition, (nodes: GraphNode[]) => GraphNode[], string | null]>([
    ["the output of the run", graph(settings()), output("{{cfg.api_key}}"), "new.properties.0.value"],
    ["the whole output of the step", graph(settings()), output("{{cfg}}"), "new.properties.0.value"],
    ["another field of the step", graph(settings()), output("{{cfg.host}}"), null],
    ["a JSONata expression", graph(settings()), add("transform", { jsonata: "$string(cfg)" }), "new.jsonata"],
    [
      "what code returns",
      graph(node("cfg", "code", { source: "return { a: input.password }", input: { password: "abc-123" } })),
      output("{{cfg.a}}"),
      "new.properties.0.value",
    ],
    [
      "the address of a request",
      graph(settings(), reading()),
      withParams("ask", { url: "https://evil.example" }),
      "ask.params.url",
    ],
    [
      "the body of a request",
      graph(settings(), http()),
      withParams("ask", { body: "{{cfg.api_key}}" }),
      "ask.params.body",
    ],
    ["the body of a request without the secret", graph(settings(), reading()), withParams("ask", { body: "a" }), null],
    [
      "the host of a request that another step names",
      graph(
        settings(),
        node("base", "transform", { fields: [{ name: "host", value: "shop.example" }] }),
        http({ url: "https://{{base.host}}/", headers: { "x-api-key": "{{cfg.api_key}}" } }),
      ),
      withData("base", { fields: [{ name: "host", value: "evil.example" }] }),
      "base.fields.0.value",
    ],
    [
      "a step that reads from one that reads it",
      graph(settings(), node("copy", "transform", { fields: [{ name: "other", value: "{{cfg.api_key}}" }] })),
      output("{{copy.other}}"),
      "new.properties.0.value",
    ],
    [
      "the default of an input",
      {
        ...graph(),
        nodes: [node("in", "action_input", { properties: [{ name: "token", type: "string", default: "abc-123" }] })],
      },
      output("{{action_input.token}}"),
      "new.properties.0.value",
    ],
    ["nothing but its name", graph(settings(), reading()), withData("ask", { name: "Ask" }), null],
  ])("%s", (_what, before, change, expected) => {
    const moved = moveAfter(before, change);
    expect(moved?.split(": ")[1] ?? null).toBe(expected);
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
