import { describe, expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { isForm, readForm } from "#lib/core/input/read-form";

const parse = (text: string) => readForm(new TextEncoder().encode(text));

test.each([
  ["one field", "a=1", { a: "1" }],
  ["a plus sign and percent encoding", "text=a+b%2Bc%0A", { text: "a b+c\n" }],
  ["a name without a value", "a&b=", { a: "", b: "" }],
  ["a repeated name is a list", "a=1&a=2&a=3", { a: ["1", "2", "3"] }],
  ["brackets are an object", "data[email]=x&data[merges][FNAME]=y", { data: { email: "x", merges: { FNAME: "y" } } }],
  ["empty brackets are a list", "a[]=1&a[]=2", { a: ["1", "2"] }],
  ["other brackets are part of the name", "a]b=1&d[=3&e[]f=4", { "a]b": "1", "d[": "3", "e[]f": "4" }],
  ["more brackets than five are part of the name", "a[b][c][d][e][f][g]=1", { "a[b][c][d][e][f][g]": "1" }],
  ["the JSON of GitHub and Slack", `payload=${encodeURIComponent('{"a":[1]}')}`, { a: [1] }],
  ["a text in payload", "payload=hello", { payload: "hello" }],
  ["another field next to payload", "payload=%7B%7D&b=1", { payload: "{}", b: "1" }],
])("a form: %s", (_name, text, value) => {
  expect(parse(text)).toEqual(value);
});

test("JSON that is called a form, as curl does by default, is JSON", () => {
  for (const value of [{ a: "1&b=2" }, [1], "text", 1.5, -3, true, null]) {
    expect(parse(` ${JSON.stringify(value)}\n`)).toEqual(value);
  }
  expect(() => parse('{"a":')).toThrow();
  expect(() => parse("[=1")).toThrow();
});

describe("a hostile form", () => {
  test("cannot change a prototype", () => {
    const form = parse("__proto__[polluted]=1&constructor[prototype][polluted]=1&a[__proto__][polluted]=1");
    expect(Reflect.get({}, "polluted")).toBeUndefined();
    expect(Object.keys(form as object)).toEqual(["__proto__", "constructor", "a"]);
    expect(Object.getPrototypeOf(form)).toBe(Object.prototype);
  });

  test("with bad percent encodings and bytes is read leniently, and never throws", () => {
    expect(parse("a=%&b=%zz&c=%E0%A4")).toEqual({ a: "%", b: "%zz", c: "\uFFFD" });
    expect(readForm(Uint8Array.of(0x61, 0x3d, 0xff))).toEqual({ a: "\uFFFD" });
    expect(parse("")).toEqual({});
    expect(parse("&&&=&")).toEqual({ "": "" });
  });

  test("may have as many fields as the limit, and no more", () => {
    const fields = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=1`).join("&");
    expect(Object.keys(parse(fields(LIMITS.formFields)) as object)).toHaveLength(LIMITS.formFields);
    expect(() => parse(fields(LIMITS.formFields + 1))).toThrow(`more than ${LIMITS.formFields} fields`);
    expect(() => parse("&".repeat(1_000_000))).toThrow(`more than ${LIMITS.formFields} fields`);
  });

  test.each(["a=1&a[b]=2", "a[b]=1&a=2", "a[b]=1&a[b][c]=2", "a=1&a=2&a[b]=3"])(
    "that contradicts itself is refused and the field is named: %s",
    (text) => {
      expect(() => parse(text)).toThrow(/^The form field a(\.b)*(\.c)? is both a value and an object\.$/);
    },
  );

  test("with a long name gives a short message", () => {
    const name = "n".repeat(100_000);
    expect(() => parse(`${name}=1&${name}[b]=2`)).toThrow(/^The form field n{100} is both/);
  });
});

test("only a form is read as a form", () => {
  const typed = (type: string) => isForm(new Headers({ "content-type": type }));
  for (const type of ["application/x-www-form-urlencoded", "Application/X-WWW-Form-Urlencoded; charset=UTF-8"]) {
    expect(typed(type), type).toBe(true);
  }
  for (const type of ["application/json", "multipart/form-data", "application/x-www-form-urlencodedx"]) {
    expect(typed(type), type).toBe(false);
  }
  expect(isForm(new Headers())).toBe(false);
});
