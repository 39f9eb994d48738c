import { expect, test } from "vitest";
import { readEventBody } from "#lib/core/input/read-event-body";

const JSON_TYPE = "application/json";
const read = (body: string | Uint8Array, type: string | null = JSON_TYPE) =>
  readEventBody(typeof body === "string" ? Buffer.from(body) : body, type);
const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16();

test.each<[string, string | Uint8Array, string | null]>([
  ["in UTF-8", '{"a":"é"}', JSON_TYPE],
  ["with a byte order mark", '\uFEFF{"a":"é"}', JSON_TYPE],
  ["that names another charset by habit", '{"a":"é"}', "application/json; charset=iso-8859-1"],
  ["in the charset that it names", Buffer.from('{"a":"é"}', "latin1"), 'application/json; charset="ISO-8859-1"'],
  ["in UTF-16", Buffer.from('{"a":"é"}', "utf16le"), "application/json; charset=utf-16"],
  ["in UTF-16 with a byte order mark", Buffer.from('\uFEFF{"a":"é"}', "utf16le"), JSON_TYPE],
  ["in big-endian UTF-16", utf16be('{"a":"é"}'), JSON_TYPE],
  ["as a CloudEvent", '{"a":"é"}', "application/cloudevents+json; charset=utf-8"],
  ["without a type", '{"a":"é"}', null],
  ["with the type of a text, as SNS sends it", '{"a":"é"}', "text/plain; charset=UTF-8"],
  ["with the type of XML", '\n{"a":"é"}', "application/xml"],
  ["with a type that no one knows", '{"a":"é"}', "x"],
  ["as one line of NDJSON", '{"a":"é"}\n', "application/x-ndjson"],
])("JSON %s is read", (_name, body, type) => {
  expect(read(body, type)).toEqual({ a: "é" });
});

test("an empty body is null, whatever its type", () => {
  for (const type of [null, JSON_TYPE, "multipart/form-data", "text/csv"]) expect(read("", type)).toBeNull();
});

test.each<[string, string | Uint8Array, string]>([
  ["CSV", "a,b\n1,2", "text/csv"],
  ["XML", "<a/>", "application/xml; charset=utf-8"],
  ["lines of JSON", '{"a":1}\n{"a":2}\n', "application/x-ndjson"],
  ["bytes", Uint8Array.of(0x80, 0x81), "image/png"],
  ["another kind of multipart", "--b\r\n\r\n--b--", "multipart/mixed; boundary=b"],
])("%s is refused with 415 and the name of its type", (_name, body, header) => {
  const type = header.split(";")[0] ?? "";
  expect(() => read(body, header)).toThrow(
    expect.objectContaining({ code: "UNSUPPORTED_MEDIA_TYPE", message: expect.stringContaining(` ${type} `) }),
  );
});

test.each<[string, string | Uint8Array, string | null]>([
  ["half of it", '{"a":', JSON_TYPE],
  ["half of it, with the type of another format", '{"a":', "application/xml"],
  ["a plain text, which is what clients call a body by default", "hello", "text/plain;charset=UTF-8"],
  ["a text without a type", "hello", null],
  ["bytes without a type", Uint8Array.of(0x80, 0x81), "application/octet-stream"],
  ["bytes that are not in the charset", Uint8Array.of(0x22, 0xff, 0x22), "application/json; charset=nope"],
])("broken JSON is 400: %s", (_name, body, type) => {
  expect(() => read(body, type)).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
});

test("a form names its charset for its percent encodings", () => {
  const form = (charset: string) => `application/x-www-form-urlencoded; charset=${charset}`;
  expect(read("a=%E9+b&c=%C3%A9", form("iso-8859-1"))).toEqual({ a: "é b", c: "é" });
  expect(read("a=%C3%A9&b=1=2&c", form("UTF-8"))).toEqual({ a: "é", b: "1=2", c: "" });
});
