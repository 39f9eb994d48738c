import { describe, expect, test } from "vitest";
import { ApiError } from "#lib/contract/error/api-error";
import type { InputSchema } from "#lib/contract/wire/json-schema";
import { assertStorable } from "#lib/core/input/assert-storable";
import { parseJson, parseJsonText } from "#lib/core/input/parse-json";
import { readCallback } from "#lib/core/input/read-callback";
import { readForm } from "#lib/core/input/read-form";
import { validateInput } from "#lib/core/input/validate-input";
import { eventText, readEvent } from "#lib/core/redaction/read-event";

const bytes = (text: string) => new TextEncoder().encode(text);

function errorsOf(schema: InputSchema, json: string): { pointer: string; code: string }[] {
  const errors = validateInput(schema, parseJson(bytes(json)) as Record<string, unknown>);
  return errors.map(({ pointer, code }) => ({ pointer, code }));
}

function detailsOf(work: () => unknown): unknown {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof ApiError ? { code: error.code, details: error.details } : error;
  }
}

const ANY: InputSchema = { type: "object", properties: {}, required: [] };

describe("the input of an action", () => {
  test.each<[string, string[]]>([
    ['{"id":8202522731445525542}', ["/id"]],
    ['{"id":-9007199254740993}', ["/id"]],
    ['{"id":9007199254740992}', ["/id"]],
    ['{"id":9007199254740993.0}', ["/id"]],
    ['{"a":[{"b":[1,9007199254740993]}],"c/d":{"e":12345678901234567890}}', ["/a/0/b/1", "/c~1d/e"]],
  ])("%s is refused with its fields", (json, pointers) => {
    expect(errorsOf(ANY, json)).toEqual(pointers.map((pointer) => ({ pointer, code: "unsafe_number" })));
  });

  test.each([
    '{"id":9007199254740991}',
    '{"id":-9007199254740991}',
    '{"id":"8202522731445525542"}',
    '{"price":0.1,"tiny":5e-324,"mole":6.02214076e23,"sum":0.30000000000000004}',
  ])("%s is accepted", (json) => {
    expect(errorsOf(ANY, json)).toEqual([]);
  });

  test("an integer is a safe integer, however it is written", () => {
    const schema: InputSchema = {
      type: "object",
      properties: {
        count: { type: "integer" },
        list: { type: "array", items: { type: "integer" } },
        few: { type: "array", items: { type: "integer", minimum: 0 } },
        size: { type: "number" },
      },
      required: [],
    };
    expect(
      errorsOf(schema, '{"count":1e20,"list":[1e20],"few":[1e20],"size":1e20}').map(({ pointer }) => pointer),
    ).toEqual(["/count", "/list/0", "/few/0"]);
    expect(errorsOf(schema, '{"count":1e2,"list":[1.0],"few":[3],"size":1.5}')).toEqual([]);
  });
});

test("any other body, and the body of a callback, is refused with the field", () => {
  const refused = (pointer: string) => ({
    code: "BAD_REQUEST",
    details: [expect.objectContaining({ pointer, code: "not_storable" })],
  });
  const body = parseJson(bytes('{"definition":{"nodes":[{"data":{"input":{"id":9007199254740993}}}]}}'));
  expect(detailsOf(() => assertStorable(body, { hasRunInput: true }))).toEqual(
    refused("/definition/nodes/0/data/input/id"),
  );
  const callback = { body: bytes('{"input":{"id":[9007199254740993]}}'), schema: null };
  expect(detailsOf(() => readCallback(callback))).toEqual(refused("/input/id/0"));
});

test("the input of a run is left for the run, which refuses it by its pointer in the input", () => {
  for (const json of ['{"input":{"id":9007199254740993}}', '{"items":[{"input":{"id":9007199254740993}}]}']) {
    expect(detailsOf(() => assertStorable(parseJson(bytes(json)), { hasRunInput: true }))).toBeNull();
    expect(detailsOf(() => assertStorable(parseJson(bytes(json))))).toMatchObject({ code: "BAD_REQUEST" });
  }
});

describe("a body that a sender chose", () => {
  const read = (json: string) => {
    const { input, ids } = readEvent({
      body: bytes(json),
      receivedAt: "2026-01-01T00:00:00.000Z",
      contentType: "application/json",
      idPaths: ["id"],
    });
    return { input: JSON.parse(input.shown), text: JSON.parse(eventText(input)), ids };
  };
  const timestamp = "2026-01-01T00:00:00.000Z";

  test("keeps a long integer as a text, next to the paths of what it changed", () => {
    const body = { id: "8202522731445525542", list: [{ 'a"output":': "9007199254740993" }], n: 1 };
    const json = '{"id":8202522731445525542,"list":[{"a\\"output\\":":9007199254740993}],"n":1}';
    expect(read(json)).toEqual({
      input: {
        numbers_as_text: ["trigger.output.body.id", 'trigger.output.body.list[0]["a\\"output\\":"]'],
        output: { body, timestamp },
      },
      text: { body, timestamp },
      ids: ["8202522731445525542"],
    });
  });

  test("has nothing next to its output if nothing was changed", () => {
    const body = { id: "8202522731445525542", n: 9007199254740991 };
    expect(read(JSON.stringify(body))).toEqual({
      input: { output: { body, timestamp } },
      text: { body, timestamp },
      ids: ["8202522731445525542"],
    });
  });

  test("is treated the same within a form", () => {
    expect(readForm(bytes("payload=%7B%22id%22%3A8202522731445525542%7D"))).toEqual({ id: "8202522731445525542" });
    expect(readForm(bytes('{"id":8202522731445525542}'))).toEqual({ id: "8202522731445525542" });
    expect(readForm(bytes("id=8202522731445525542"))).toEqual({ id: "8202522731445525542" });
    expect(parseJsonText("[12345678901234567890123]")).toEqual(["12345678901234567890123"]);
  });
});
