import { describe, expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { readMultipart } from "#lib/core/input/read-multipart";

const B = "X-BOUNDARY";
const bytes = (text: string) => Buffer.from(text, "latin1");
const part = (disposition: string, content: string, rest = "") =>
  `--${B}\r\nContent-Disposition: form-data; ${disposition}\r\n${rest}\r\n${content}\r\n`;
const form = (...parts: string[]) => bytes(`${parts.join("")}--${B}--\r\n`);
const read = (...parts: string[]) => readMultipart(form(...parts), B);
const base64 = (text: string) => bytes(text).toString("base64");

test("a long number in JSON keeps its digits as a text, and is named where it is in the form", () => {
  const json = "Content-Type: application/json\r\n";
  const paths: unknown[] = [];
  const body = readMultipart(
    form(
      part('name="d[order]"', '{"id":8202522731445525542,"n":1}', json),
      part('name="a"', "9007199254740993"),
      part('name="a"', "[-9007199254740993]", json),
    ),
    B,
    (path) => paths.push(path),
  );
  expect(body).toEqual({
    d: { order: { id: "8202522731445525542", n: 1 } },
    a: ["9007199254740993", ["-9007199254740993"]],
  });
  expect(paths).toEqual([
    ["d", "order", "id"],
    ["a", 1, 0],
  ]);
});

describe("a multipart form", () => {
  test.each<[string, string[], unknown]>([
    ["fields", [part('name="formID"', "231"), part('name="type"', "WEB")], { formID: "231", type: "WEB" }],
    ["a repeated name is a list", [part('name="a"', "1"), part('name="a"', "2")], { a: ["1", "2"] }],
    ["brackets are an object, as in other forms", [part('name="d[email]"', "x")], { d: { email: "x" } }],
    ["an empty field", [part('name="a"', "")], { a: "" }],
    ["a field with lines", [part('name="a"', "1\r\n\r\n2\r\n")], { a: "1\r\n\r\n2\r\n" }],
    [
      "a text that looks like the boundary",
      [part('name="a"', `--${B}x\r\n -- --${B}`)],
      { a: `--${B}x\r\n -- --${B}` },
    ],
    ["UTF-8 without a charset", [part('name="a"', "\xc3\xa9")], { a: "é" }],
    [
      "the charset of a part",
      [part('name="a"', "\xe9", "Content-Type: text/plain; charset=iso-8859-1\r\n")],
      { a: "é" },
    ],
    [
      "the field _charset_",
      [part('name="_charset_"', "windows-1251"), part('name="a"', "\xc0")],
      { _charset_: "windows-1251", a: "А" },
    ],
    [
      "SendGrid's charsets",
      [part('name="charsets"', '{"text":"iso-8859-1"}'), part('name="text"', "\xe9")],
      { charsets: '{"text":"iso-8859-1"}', text: "é" },
    ],
    [
      "JSON that is declared",
      [part('name="payload"', '{"event":"media.play"}', "Content-Type: application/json\r\n")],
      { payload: { event: "media.play" } },
    ],
    ["JSON that is not declared stays a text", [part('name="payload"', '{"a":1}')], { payload: '{"a":1}' }],
    ["a name without quotes", [part("name=a", "1")], { a: "1" }],
    ["a name with escapes", [part('name="a%22b\\"c"', "1")], { 'a"b"c': "1" }],
    [
      "headers in any case, folded",
      [`--${B}\r\nCONTENT-DISPOSITION: form-data;\r\n  NAME="a"\r\n\r\n1\r\n`],
      { a: "1" },
    ],
    ["a prototype's name", [part('name="__proto__"', "1")], JSON.parse('{"__proto__":"1"}')],
    ["no fields", [], {}],
  ])("is read: %s", (_name, parts, value) => {
    expect(read(...parts)).toEqual(value);
  });

  test.each<[string, string]>([
    ["a preamble and an epilogue", `ignored\r\n${part('name="a"', "1")}--${B}--\r\nignored`],
    ["LF alone", part('name="a"', "1").replaceAll("\r\n", "\n").concat(`--${B}--\n`)],
    ["spaces after the boundary", `--${B} \t\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--${B}--`],
    ["no line end at the end", `${part('name="a"', "1")}--${B}--`],
  ])("is read with %s", (_name, text) => {
    expect(readMultipart(bytes(text), B)).toEqual({ a: "1" });
  });

  test.each<[string, string, string | null, string]>([
    ["no boundary in its type", `${part('name="a"', "1")}--${B}--`, null, "has no boundary"],
    ["another boundary", `${part('name="a"', "1")}--${B}--`, "other", "does not occur"],
    ["no last boundary", part('name="a"', "1"), B, "ends before its last boundary"],
    ["a part without a name", `--${B}\r\nContent-Type: text/plain\r\n\r\n1\r\n--${B}--`, B, "has no name"],
    [
      "headers without an end",
      `--${B}\r\nContent-Disposition: form-data; name="a"\r\n--${B}--`,
      B,
      "headers of a part",
    ],
    ["a long boundary", "x", "b".repeat(201), "boundary is too long"],
    ["no body to speak of", "\r\n", B, "does not occur"],
  ])("is refused with %s", (_name, text, boundary, reason) => {
    expect(() => readMultipart(bytes(text), boundary)).toThrow(reason);
  });

  test("is refused if declared JSON cannot be read, or names contradict each other", () => {
    expect(() => read(part('name="a"', "{", "Content-Type: application/json\r\n"))).toThrow("not valid JSON");
    expect(() => read(part('name="a"', "1"), part('name="a[b]"', "2"))).toThrow("both a value and an object");
  });

  test("may have as many fields as any form, and no more", () => {
    const fields = (count: number) => Array.from({ length: count }, (_, index) => part(`name="f${index}"`, "1"));
    expect(Object.keys(read(...fields(LIMITS.formFields)))).toHaveLength(LIMITS.formFields);
    expect(() => read(...fields(LIMITS.formFields + 1))).toThrow(`more than ${LIMITS.formFields} fields`);
  });

  test("looks at no byte of a hostile body more than a few times", () => {
    const near = `--${B}x`.repeat(80_000);
    expect(() => readMultipart(bytes(near), B)).toThrow("does not occur");
    const parameters = part(`name="a"${';a="'.repeat(1_900)}`, "1").repeat(120);
    expect(readMultipart(bytes(`${parameters}--${B}--`), B)).toHaveProperty("a");
  });
});

describe("a file of a form", () => {
  const png = "\x89PNG\r\n\x1a\n\x00\xff";

  test("is its name, type, size and content", () => {
    expect(read(part('name="thumb"; filename="thumb.png"', png, "Content-Type: image/png\r\n"))).toEqual({
      thumb: { filename: "thumb.png", content_type: "image/png", size: 10, data: base64(png) },
    });
  });

  test.each<[string, string, string]>([
    ["filename*", `name="f"; filename="x.txt"; filename*=UTF-8''na%C3%AFve%20%22.txt`, 'naïve ".txt'],
    ["an unknown charset in filename*", `name="f"; filename="x.txt"; filename*=nope''a.txt`, "x.txt"],
    ["escaped quotes", 'name="f"; filename="a\\"b.txt"', 'a"b.txt'],
    ["a Windows path", 'name="f"; filename="C:\\dir\\a.txt"', "C:\\dir\\a.txt"],
    ["UTF-8", 'name="f"; filename="\xc3\xa9.txt"', "é.txt"],
    ["a semicolon", 'name="f"; filename="a; name=b.txt"', "a; name=b.txt"],
  ])("keeps its name with %s", (_name, disposition, filename) => {
    expect(read(part(disposition, "1"))).toEqual({ f: { filename, content_type: null, size: 1, data: "MQ==" } });
  });

  test("is a list of files if the name is repeated, and null if a file input was left empty", () => {
    const file = (name: string) => part(`name="f"; filename="${name}"`, name);
    expect(read(file("a"), file("b"))).toMatchObject({ f: [{ filename: "a" }, { filename: "b" }] });
    expect(read(part('name="f"; filename=""', "", "Content-Type: application/octet-stream\r\n"))).toEqual({ f: null });
  });

  test("needs no name if its bytes are no text", () => {
    expect(read(part('name="f"', png, "Content-Type: image/png\r\n"))).toMatchObject({
      f: { filename: null, size: 10 },
    });
  });

  test("has no content once the event would be larger than a step's output, and the smaller ones keep theirs", () => {
    const large = "x".repeat(800_000);
    const event = read(
      part('name="a"; filename="a"', "small"),
      part('name="b"; filename="b"', large),
      part('name="c"; filename="c"', "small"),
      part('name="text"', "y".repeat(100_000)),
    );
    expect(event).toMatchObject({
      a: { data: base64("small") },
      b: { size: 800_000, data: null },
      c: { size: 5, data: base64("small") },
    });
    const fits = read(part('name="a"; filename="a"', "x".repeat(780_000)));
    expect(JSON.stringify({ output: { body: fits } }).length).toBeLessThan(LIMITS.stepOutputBytes);
    expect(fits.a).toHaveProperty("data", base64("x".repeat(780_000)));
  });
});
