import { describe, expect, test } from "vitest";
import { buildDefinition } from "#lib/connectors/custom/build-definition";
import { toRequest } from "#lib/connectors/custom/call-custom";

const BASE = "https://api.example.com";

function operationOf(content: object) {
  const post = { operationId: "send", requestBody: { required: true, content } };
  const document = { openapi: "3.1.0", paths: { "/send": { post } } };
  const { definition } = buildDefinition({ name: "A", baseUrl: BASE, auth: "none", document });
  const [operation] = definition.operations;
  if (!operation) throw new Error("there is one");
  return operation;
}

function written(content: object, body: unknown) {
  const request = toRequest(BASE, operationOf(content), { body }, "run:step:");
  const text = typeof request.body === "string" ? request.body : Buffer.from(request.body ?? []).toString("latin1");
  return { type: request.headers["content-type"], text, bytes: request.body };
}

const FORM = "application/x-www-form-urlencoded";
const object = { type: "object" };

describe("a form", () => {
  const properties = {
    text: { type: "string" },
    list: { type: "array", items: {} },
    object,
    pairs: object,
    deep: {},
    json: { type: "array" },
    spaced: { type: "array" },
    url: { type: "string" },
  };
  const encoding = {
    pairs: { style: "form", explode: true },
    deep: { style: "deepObject", explode: true },
    json: { contentType: "application/json" },
    spaced: { style: "spaceDelimited" },
    url: { allowReserved: true },
  };
  const form = (body: object) => written({ [FORM]: { schema: { type: "object", properties }, encoding } }, body);

  test("writes text as it is, lists item by item and objects as JSON, unless a field says otherwise", () => {
    const { type, text } = form({ text: "a b&c", list: [1, { x: 2 }], object: { y: 3 } });
    expect(type).toBe(FORM);
    expect(text).toBe("text=a%20b%26c&list=1&list=%7B%22x%22%3A2%7D&object=%7B%22y%22%3A3%7D");
  });

  test("writes each field in the style of its encoding", () => {
    expect(form({ pairs: { a: 1, b: "c d" } }).text).toBe("a=1&b=c%20d");
    expect(decodeURIComponent(form({ deep: [{ price: "p", tax: ["t"] }, { price: "q" }] }).text)).toBe(
      "deep[0][price]=p&deep[0][tax][0]=t&deep[1][price]=q",
    );
    expect(form({ json: [1, { a: 2 }] }).text).toBe("json=%5B1%2C%7B%22a%22%3A2%7D%5D");
    expect(form({ spaced: ["a", "b"] }).text).toBe("spaced=a%20b");
    expect(form({ url: "https://a.example/?x=1&y=2" }).text).toBe("url=https://a.example/?x=1%26y=2");
  });

  test("sends empty text, which services read as a value to clear, and fields that the document does not list", () => {
    expect(form({ text: "", list: [], none: null, more: 5 }).text).toBe("text=&more=5");
  });
});

describe("a multipart body", () => {
  const content = {
    "multipart/form-data": {
      schema: {
        type: "object",
        required: ["file"],
        properties: {
          purpose: { type: "string" },
          tags: { type: "array", items: { type: "string" } },
          meta: object,
          deep: object,
          file: { type: "string", format: "binary" },
          images: { type: "array", items: { type: "string", contentMediaType: "image/png" } },
        },
      },
      encoding: { deep: { style: "deepObject" }, images: { contentType: "image/png" } },
    },
  };

  test("has one part for each text, item, JSON object and file, with their types", () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]);
    const { type, text } = written(content, {
      purpose: "fine-tune",
      tags: ["a", "b"],
      meta: { x: 1 },
      deep: { y: "z" },
      file: { filename: 'a"b.csv', content_type: "text/csv", text: "é,1" },
      images: [{ data: png.toString("base64") }],
    });
    const boundary = /^multipart\/form-data; boundary=(signalbox-[0-9a-f]{40})$/.exec(type ?? "")?.[1];
    const part = (headers: string, body: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${body}\r\n`;
    expect(text).toBe(
      [
        part('name="purpose"', "fine-tune"),
        part('name="tags"', "a"),
        part('name="tags"', "b"),
        part('name="meta"\r\nContent-Type: application/json', '{"x":1}'),
        part('name="deep[y]"', "z"),
        part('name="file"; filename="a%22b.csv"\r\nContent-Type: text/csv', Buffer.from("é,1").toString("latin1")),
        part('name="images"; filename="images"\r\nContent-Type: image/png', png.toString("latin1")),
        `--${boundary}--\r\n`,
      ].join(""),
    );
  });

  test("is the same for every attempt of a step, and its boundary is in no part", () => {
    const body = { file: { text: "x" }, purpose: "y" };
    const first = written(content, body);
    expect(written(content, body)).toEqual(first);
    const boundary = first.type?.split("boundary=")[1] ?? "";
    const hostile = written(content, { file: { text: `--${boundary}--\r\n` } });
    expect(hostile.type).not.toBe(first.type);
  });

  test("can be read by the parser of the platform", async () => {
    const { type = "", bytes } = written(content, { purpose: "é\r\n--x", file: { data: "AP8=", filename: "a.bin" } });
    const form = await new Response(new Uint8Array(Buffer.from(bytes ?? "")), {
      headers: { "content-type": type },
    }).formData();
    expect(form.get("purpose")).toBe("é\r\n--x");
    const file = form.get("file");
    if (!(file instanceof File)) throw new Error("it is a file");
    expect([file.name, file.type, [...new Uint8Array(await file.arrayBuffer())]]).toEqual([
      "a.bin",
      "application/octet-stream",
      [0, 255],
    ]);
  });

  test.each([
    [{ file: { data: "not base64!" } }, "body.file.data: must be base64"],
    [{ file: { text: "x", content_type: "a/b\r\nX-Evil: 1" } }, "body.file.content_type: must be a media type"],
    [{ file: "x" }, "body.file: must be an object"],
    [{ file: {} }, "body.file.data: is required"],
    [{ purpose: "x" }, "body.file: is required"],
  ])("is refused as %j", (body, message) => {
    expect(() => written(content, body)).toThrow(message);
  });
});

describe("a body of bytes", () => {
  const data = Buffer.from([0, 255, 10]).toString("base64");

  test.each([
    ["application/octet-stream", { data }, "application/octet-stream"],
    ["image/*", { data, content_type: "image/png" }, "image/png"],
    ["image/*", { data }, "application/octet-stream"],
    ["application/pdf", { data, content_type: "application/x-pdf" }, "application/x-pdf"],
  ])("of %s given as %j is sent as it is, as %s", (declared, body, type) => {
    const sent = written({ [declared]: { schema: { type: "string", format: "binary" } } }, body);
    expect(sent.type).toBe(type);
    expect([...Buffer.from(sent.bytes ?? "")]).toEqual([0, 255, 10]);
  });

  test("can be given as text", () => {
    expect(written({ "application/octet-stream": {} }, "a,b")).toMatchObject({
      type: "application/octet-stream",
      text: "a,b",
    });
  });
});

describe("the content type", () => {
  test.each([
    [{ "application/json; charset=utf-8": { schema: object } }, { a: 1 }, "application/json", '{"a":1}'],
    [{ "application/vnd.api+json": {} }, { a: 1 }, "application/vnd.api+json", '{"a":1}'],
    [{ "application/json": {} }, "text", "application/json", '"text"'],
    [{ "application/json": {} }, [false], "application/json", "[false]"],
    [{ "text/csv": {} }, "a,b", "text/csv", "a,b"],
    [{ "application/xml": { schema: object } }, "<a/>", "application/xml", "<a/>"],
    [{ "application/x-ndjson": {} }, "{}\n{}\n", "application/x-ndjson", "{}\n{}\n"],
    [{ "*/*": { schema: object } }, { a: 1 }, "application/json", '{"a":1}'],
    [{ "text/plain": {}, "multipart/form-data": {}, "application/json": {} }, { a: 1 }, "application/json", '{"a":1}'],
  ])("of %j is %s", (content, body, type, text) => {
    expect(written(content, body)).toMatchObject({ type, text });
  });

  test("is not sent without a body", () => {
    const operation = { ...operationOf({ "application/json": {} }), required: [] };
    const { headers, body } = toRequest(BASE, operation, {}, "run:step:");
    expect([headers, body]).toEqual([{}, undefined]);
  });
});
