import { describe, expect, it, test } from "vitest";
import { readBotApi } from "#scripts/vendor-facts/read-bot-api";
import { readDiscovery } from "#scripts/vendor-facts/read-discovery";
import { readMethodPages } from "#scripts/vendor-facts/read-method-pages";
import { readOpenapi } from "#scripts/vendor-facts/read-openapi";

describe("readOpenapi", () => {
  const document = {
    paths: {
      "/orders": {
        parameters: [{ $ref: "#/components/parameters/trace" }],
        post: {
          parameters: [
            { in: "query", name: "dry_run", deprecated: true, schema: { type: "boolean" } },
            { in: "header", name: "x-id", required: true, schema: {} },
          ],
          requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } } },
        },
      },
      "/old": { get: { deprecated: true } },
    },
    components: {
      parameters: { trace: { in: "query", name: "trace", required: true, schema: { enum: ["on", "off"] } } },
      schemas: {
        Order: {
          allOf: [{ $ref: "#/components/schemas/Base" }],
          required: ["lines", "note"],
          properties: {
            lines: { type: "array", items: { required: ["sku"], properties: { sku: {}, size: { deprecated: true } } } },
            note: { type: "string", nullable: true },
            labels: { type: "object", additionalProperties: { type: "string" } },
            next: { $ref: "#/components/schemas/Order" },
          },
        },
        Base: { properties: { id: { type: "string" } } },
      },
    },
  };

  it("reads the query and the body with required, deprecated, and allowed values, and no other parameters", () => {
    const methods = readOpenapi(document);
    expect(methods["GET /old"]).toEqual({ deprecated: true });
    expect(methods["POST /orders"]?.query).toEqual({
      trace: { required: true, values: ["on", "off"] },
      dry_run: { deprecated: true },
    });
    expect(methods["POST /orders"]?.body).toMatchObject({
      lines: { required: true, fields: { sku: { required: true }, size: { deprecated: true } } },
      note: {},
      id: {},
    });
  });

  it("requires no nullable field, lists no fields of an open object, and stops if a schema repeats itself", () => {
    const body = readOpenapi(document)["POST /orders"]?.body;
    expect([body?.note, body?.labels]).toEqual([{}, {}]);
    expect(JSON.stringify(body).match(/"next"/g)).toHaveLength(4);
  });

  it("reads a method as deprecated if its description says that it is no longer served", () => {
    const description = "С июня метод `GET /chats` больше не поддерживается.";
    expect(readOpenapi({ paths: { "/chats": { get: { description } } } })).toEqual({
      "GET /chats": { deprecated: true },
    });
  });
});

test("readDiscovery reads nested resources, common parameters, and schemas by id", () => {
  const document = {
    parameters: { fields: { location: "query" } },
    schemas: { Row: { properties: { cells: { items: { $ref: "Cell" } } } }, Cell: { properties: { note: {} } } },
    resources: {
      books: {
        resources: {
          rows: {
            methods: {
              add: {
                httpMethod: "POST",
                path: "v1/books/{id}/rows",
                parameters: { id: { location: "path", required: true }, mode: { location: "query", required: true } },
                request: { $ref: "Row" },
              },
            },
          },
        },
      },
    },
  };
  expect(readDiscovery(document)).toEqual({
    "POST /v1/books/{id}/rows": {
      query: { fields: {}, mode: { required: true } },
      body: { cells: { fields: { note: {} } } },
    },
  });
});

test("readBotApi reads deprecated fields, the fields of types, and the kinds of updates", () => {
  const field = (name: string, type: string, required: boolean, description = "") => ({
    name,
    types: [type],
    required,
    description,
  });
  const { version, methods } = readBotApi({
    version: "Bot API 9.9",
    methods: {
      sendMessage: {
        fields: [
          field("chat_id", "Integer", true),
          field("reply", "ReplyParameters", false),
          field("thumb", "String", false, "Optional. Deprecated, use thumbnail."),
        ],
      },
      setWebhook: { description: ["Deprecated."], fields: [field("allowed_updates", "Array of String", false)] },
    },
    types: {
      ReplyParameters: { fields: [field("message_id", "Integer", true)] },
      Update: { fields: [field("update_id", "Integer", true), field("message", "Message", false)] },
    },
  });
  expect(version).toBe("Bot API 9.9");
  expect(methods).toEqual({
    "POST /sendMessage": {
      body: {
        chat_id: { required: true },
        reply: { fields: { message_id: { required: true } } },
        thumb: { deprecated: true },
      },
    },
    "POST /setWebhook": { deprecated: true, body: { allowed_updates: { values: ["message"] } } },
  });
});

test("readMethodPages reads a page's method, its parameters, and whether it is deprecated", () => {
  const address = "https://**put_your_bitrix24_address**/rest";
  const table = (...names: string[]) =>
    `#|\n|| **Name**\n\`type\` ||\n${names.map((name) => `|| **${name}**\ntext ||\n`).join("")}|#`;
  const pages = [
    `# Add Task tasks.task.add\n## Method Parameters\n${table("fields*", "params")}\n## Response\n${table("result")}`,
    `# Send a Message\n${address}/api/**put_your_user_id_here**/**put_your_webhook_here**/tasks.task.chat.message.send`,
    `# Add crm.deal.add\n{% note warning "DEPRECATED" %}\n${address}/**user**/**hook**/crm.deal.add`,
    "# Overview of Tasks",
  ];
  expect(readMethodPages(pages)).toEqual({
    "POST /tasks.task.add": { body: { fields: { required: true }, params: {} } },
    "POST /api/tasks.task.chat.message.send": {},
    "POST /crm.deal.add": { deprecated: true },
  });
});
