import { describe, expect, test } from "vitest";
import { buildDefinition, documentOf } from "#lib/connectors/custom/build-definition";
import { toRequest } from "#lib/connectors/custom/call-custom";
import { describeOperations } from "#lib/connectors/custom/describe-operations";

const BASE = "https://api.example.com";
const build = (content: object, openapi = "3.1.0") => {
  const components = { requestBodies: { sent: { required: true, content } } };
  const post = { operationId: "send", requestBody: { $ref: "#/components/requestBodies/sent" } };
  const document = { openapi, paths: { "/send": { post } }, components };
  return buildDefinition({ name: "A", baseUrl: BASE, auth: "none", document });
};

function written(content: object, body: unknown) {
  const [operation] = build(content).definition.operations;
  if (!operation) throw new Error("there is one");
  const request = toRequest(BASE, operation, { body }, "run:step:");
  return { type: request.headers["content-type"], text: Buffer.from(request.body ?? "").toString("latin1") };
}

const file = { type: "string", format: "binary" };
const JSON_BODY = { schema: { type: "object", properties: { url: { type: "string" } }, required: ["url"] } };
const MULTIPART = {
  schema: { type: "object", properties: { file, files: { type: "array", items: file }, name: { type: "string" } } },
};
const BOTH = { "application/json": JSON_BODY, "multipart/form-data": MULTIPART };

describe("an operation that takes JSON and a form with files", () => {
  test("sends JSON as before, and the form if the body contains a file", () => {
    expect(written(BOTH, { url: "https://a.example" })).toEqual({
      type: "application/json",
      text: '{"url":"https://a.example"}',
    });
    const sent = written(BOTH, { file: { text: "a,b", filename: "a.csv" }, name: "x" });
    expect(sent.type).toMatch(/^multipart\/form-data; boundary=/);
    expect(sent.text).toContain('name="file"; filename="a.csv"\r\n');
    expect(sent.text).toContain('name="name"\r\n\r\nx\r\n');
    expect(written(BOTH, { files: [{ text: "1" }, { text: "2" }] }).text.match(/name="files"; filename/g)).toHaveLength(
      2,
    );
  });

  test("says so in its params, and checks each kind with its own schema", () => {
    const [operation] = build(BOTH).definition.operations;
    expect(operation?.paramsSchema.properties).toMatchObject({
      body: { description: expect.stringContaining("multipart/form-data if it contains a file"), anyOf: [{}, {}] },
    });
    expect(() => written(BOTH, { url: 5 })).toThrow("body.url: must be text");
    expect(() => written(BOTH, { file: { data: "not base64!" } })).toThrow("body.file.data: must be base64");
  });

  test("is the same when both share one schema, as generators write it, or the other kind is a plain form", () => {
    const shared = { schema: { type: "object", properties: { file, name: { type: "string" } } } };
    for (const type of ["application/json", "application/x-www-form-urlencoded"]) {
      const content = { "multipart/form-data": shared, [type]: shared };
      expect(written(content, { name: "x" }).type).toBe(type);
      expect(written(content, { file: { data: "AP8=" } }).type).toMatch(/^multipart/);
    }
  });

  test("is the same after it was described by hand", () => {
    const content = {
      ...BOTH,
      "multipart/form-data": { ...MULTIPART, encoding: { file: { contentType: "image/png" } } },
    };
    const { definition } = build(content);
    const again = buildDefinition({
      name: "A",
      baseUrl: BASE,
      auth: "none" as const,
      document: documentOf("A", describeOperations(definition)),
    });
    expect(again.definition.operations).toEqual(definition.operations);
  });

  test("stays with JSON if the form takes no file", () => {
    const form = { schema: { type: "object", properties: { name: { type: "string" } } } };
    const [operation] = build({ "application/json": JSON_BODY, "multipart/form-data": form }).definition.operations;
    expect(operation).not.toHaveProperty("upload");
    expect(operation?.paramsSchema.properties).toMatchObject({ body: { required: ["url"] } });
  });
});

test("an operation that takes JSON and bytes sends a file as bytes only if it is not valid as JSON", () => {
  const content = { "application/octet-stream": { schema: file }, "application/json": JSON_BODY };
  expect(written(content, { data: "YWI=" })).toEqual({ type: "application/octet-stream", text: "ab" });
  expect(written(content, { data: "YWI=", content_type: "image/png" }).type).toBe("image/png");
  expect(written(content, { url: "u", data: "YWI=" })).toMatchObject({ type: "application/json" });
  expect(written({ ...content, "application/json": {} }, { data: "YWI=" }).type).toBe("application/json");
});

describe("a range of media types is sent as a concrete one", () => {
  const object = { schema: { type: "object" } };
  test.each([
    ["application/*+json", { a: 1 }, "application/json", '{"a":1}'],
    ["Application/*+JSON; charset=utf-8", { a: 1 }, "application/json", '{"a":1}'],
    ["*/*+json", { a: 1 }, "application/json", '{"a":1}'],
    ["*/json", { a: 1 }, "application/json", '{"a":1}'],
    ["application/*", { a: 1 }, "application/json", '{"a":1}'],
    ["*/*", { a: 1 }, "application/json", '{"a":1}'],
    ["*", { a: 1 }, "application/json", '{"a":1}'],
    ["text/*", "a", "text/plain", "a"],
    ["application/*+xml", "<a/>", "application/xml", "<a/>"],
  ])("%s", (range, body, type, text) => {
    expect(written({ [range]: typeof body === "string" ? {} : object }, body)).toEqual({ type, text });
  });

  test("and a range of multipart is a form", () => {
    expect(written({ "multipart/*": object }, { a: "b" }).type).toMatch(/^multipart\/form-data; boundary=/);
  });

  test("but a named type is preferred to a range", () => {
    const content = { "*/*": object, "application/x-www-form-urlencoded": object };
    expect(written(content, { a: 1 })).toEqual({ type: "application/x-www-form-urlencoded", text: "a=1" });
  });
});

test("operations described by hand keep the server and the encoding of their form", () => {
  const described = {
    name: "send",
    method: "POST",
    path: "/send",
    server: "https://upload.example.com/v1",
    body: { type: "object", properties: { tags: { type: "array" } } },
    body_type: "application/x-www-form-urlencoded",
    body_encoding: { tags: { style: "pipeDelimited", explode: false } },
  };
  const source = { name: "A", baseUrl: BASE, auth: "none" as const };
  const { operations } = buildDefinition({ ...source, document: documentOf("A", [described]) }).definition;
  const [operation] = operations;
  if (!operation) throw new Error("there is one");
  expect(toRequest(BASE, operation, { body: { tags: ["a", "b"] } }, "s")).toMatchObject({
    url: "https://upload.example.com/v1/send",
    body: "tags=a%7Cb",
  });
  expect(describeOperations({ description: "", baseUrl: BASE, auth: "none", operations })).toMatchObject([described]);
});
