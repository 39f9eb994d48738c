import { describe, expect, test } from "vitest";
import { parseResponseBody } from "#lib/connectors/sdk/parse-response-body";
import type { PathInJson } from "#lib/support/exact-json";

describe("the text of a response is read in its own charset:", () => {
  const word = "Привет, café";
  const utf16 = (text: string) => Buffer.from(text, "utf16le");
  const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();
  const windows1251 = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
  const read = (type: string, body: Buffer) => parseResponseBody({ headers: { "content-type": type }, body });

  test.each<[string, string, Buffer]>([
    ["UTF-8 under the name of Latin-1", "application/json; charset=iso-8859-1", Buffer.from(JSON.stringify(word))],
    ["UTF-8 under an unknown name", "application/json; charset=unicode-1-1", Buffer.from(JSON.stringify(word))],
    ["with a byte order mark", "application/json", Buffer.from(`\uFEFF${JSON.stringify(word)}`)],
    ["UTF-16 with a mark", "application/json", utf16(`\uFEFF${JSON.stringify(word)}`)],
    ["UTF-16, big end first, with a mark", "application/json", swapped(utf16(`\uFEFF${JSON.stringify(word)}`))],
    ["UTF-16 without a mark", "application/json; charset=utf-16", utf16(JSON.stringify(word))],
    ["UTF-16, big end first, without a mark", "text/json", swapped(utf16(JSON.stringify(word)))],
    ["two content types", "application/json, application/json; charset=utf-8", Buffer.from(JSON.stringify(word))],
    ["a problem document", "Application/Problem+JSON; charset=UTF-8", Buffer.from(JSON.stringify(word))],
  ])("JSON: %s", (_, type, body) => {
    expect(read(type, body)).toBe(word);
  });

  test("JSON in another charset that its type names", () => {
    const body = Buffer.concat([Buffer.from('{"a":"'), windows1251, Buffer.from('"}')]);
    expect(read("application/json; charset=windows-1251", body)).toEqual({ a: "Привет" });
    for (const type of ["application/json", "application/json; charset=utf-8", "application/json; charset=x-none"]) {
      expect(() => read(type, body)).toThrow(expect.objectContaining({ reason: "answer_unreadable" }));
    }
  });

  test("JSON that is empty, blank, or only a mark is no body; a page is none, too, but an error", () => {
    for (const body of ["", " \r\n", "\uFEFF"]) expect(read("application/json", Buffer.from(body))).toBeNull();
    const page = Buffer.from("<!doctype html><title>Sign in</title>");
    expect(() => read("application/json", page)).toThrow(expect.objectContaining({ reason: "answer_unreadable" }));
    expect(read("text/html", page)).toContain("Sign in");
  });

  test("text by its type, by its mark, by its own declaration, and otherwise UTF-8", () => {
    expect(read("text/plain; charset=windows-1251", windows1251)).toBe("Привет");
    expect(read('text/plain; charset="windows-1251"', windows1251)).toBe("Привет");
    expect(read("text/plain; charset=unknown", Buffer.from(word))).toBe(word);
    expect(() => read("text/plain; charset=unknown", windows1251)).toThrow("unknown charset unknown");
    expect(read("text/csv", utf16(`\uFEFF${word}`))).toBe(word);
    const xml = Buffer.concat([
      Buffer.from('<?xml version="1.0" encoding="windows-1251"?><a>'),
      windows1251,
      Buffer.from("</a>"),
    ]);
    expect(read("application/xml", xml)).toContain("<a>Привет</a>");
    const html = Buffer.concat([Buffer.from('<html><meta charset="windows-1251">'), windows1251]);
    expect(read("text/html", html)).toContain("Привет");
    expect(read("application/x-ndjson", Buffer.from('{"a":1}\n{"a":2}\n'))).toBe('{"a":1}\n{"a":2}\n');
    expect(() => read("image/png", Buffer.from([0x89, 0x50, 0]))).toThrow("binary");
  });
});

test("a number of a response that would lose digits is a text with them, and its place is reported", () => {
  const paths: PathInJson[] = [];
  const body = Buffer.from('{"id":8202522731445525542,"rows":[[1E400,0.1]],"n":9007199254740991}');
  const value = parseResponseBody({
    headers: { "content-type": "application/json" },
    body,
    onLongNumber: (path) => paths.push(path),
  });
  expect(value).toEqual({ id: "8202522731445525542", rows: [["1E400", 0.1]], n: 9007199254740991 });
  expect(paths).toEqual([["id"], ["rows", 0, 0]]);
});
