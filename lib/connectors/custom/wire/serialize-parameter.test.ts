import { describe, expect, test } from "vitest";
import { headerText, percentEncode, serializeParameter } from "#lib/connectors/custom/wire/serialize-parameter";
import { type WireParameter, type WireStyle, wireParameter } from "#lib/connectors/custom/wire/wire-parameter";

const VALUES = {
  empty: "",
  string: "blue",
  array: ["blue", "black", "brown"],
  object: { R: 100, G: 200, B: 150 },
};
const NOT_DEFINED = null;

/** OpenAPI 3.0.4 and 3.1.1, Style Examples: style, explode, then the text of each value. */
const TABLE: [WireStyle, boolean, string, string | null, string | null, string | null][] = [
  ["matrix", false, ";color", ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"],
  ["matrix", true, ";color", ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"],
  ["label", false, ".", ".blue", ".blue,black,brown", ".R,100,G,200,B,150"],
  ["label", true, ".", ".blue", ".blue.black.brown", ".R=100.G=200.B=150"],
  ["simple", false, "", "blue", "blue,black,brown", "R,100,G,200,B,150"],
  ["simple", true, "", "blue", "blue,black,brown", "R=100,G=200,B=150"],
  ["form", false, "color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"],
  ["form", true, "color=", "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"],
  ["spaceDelimited", false, "color=", NOT_DEFINED, "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"],
  ["pipeDelimited", false, "color=", NOT_DEFINED, "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"],
  ["deepObject", true, "color=", NOT_DEFINED, NOT_DEFINED, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
];

const PLACES: Record<WireStyle, "path" | "query"> = {
  matrix: "path",
  label: "path",
  simple: "path",
  form: "query",
  spaceDelimited: "query",
  pipeDelimited: "query",
  deepObject: "query",
};

const query = (keywords: Record<string, unknown>, value: unknown, name = "q") =>
  serializeParameter(wireParameter("query", name, keywords), value, percentEncode);

test.each(
  TABLE.flatMap(([style, explode, ...texts]) =>
    Object.entries(VALUES).flatMap(([kind, value], index) => {
      const expected = texts[index];
      return typeof expected === "string" ? [[style, explode, kind, value, expected] as const] : [];
    }),
  ),
)("%s with explode %s writes %s as the specification's table does", (style, explode, _kind, value, expected) => {
  const parameter = wireParameter(PLACES[style], "color", { style, explode });
  expect(parameter).toMatchObject({ style, explode });
  expect(serializeParameter(parameter, value, percentEncode)).toBe(expected);
});

describe("the defaults of OpenAPI", () => {
  test.each([
    ["path", "simple", false],
    ["query", "form", true],
    ["header", "simple", false],
    ["cookie", "form", true],
    ["body", "form", true],
  ] as const)("of %s are style %s and explode %s", (place, style, explode) => {
    expect(wireParameter(place, "x")).toEqual({ in: place, name: "x", style, explode });
    expect(wireParameter(place, "x", { style: "unknown" })).toMatchObject({ style });
  });

  test("explode is false by default for every style but form and deepObject", () => {
    expect(query({ style: "pipeDelimited" }, ["a", "b"])).toBe("q=a%7Cb");
    expect(query({ style: "form" }, ["a", "b"])).toBe("q=a&q=b");
    expect(query({ style: "spaceDelimited", explode: true }, ["a", "b"])).toBe("q=a&q=b");
  });
});

describe("a value", () => {
  test("never ends its parameter or starts another one, in any style", () => {
    const hostile = "a&b=c#d/e?f;g,h|i j[k]";
    for (const [style, explode] of TABLE) {
      const parameter: WireParameter = { in: PLACES[style], name: "q", style, explode };
      const text = serializeParameter(parameter, hostile, percentEncode);
      expect(text.slice(text.indexOf("=") + 1)).not.toMatch(/[&#/?;|[\] ]/);
      const fields = serializeParameter(parameter, { [hostile]: 1 }, percentEncode);
      expect(fields).not.toMatch(/[&#/?|[\] ]/);
    }
  });

  test("with allowReserved keeps what cannot be mistaken for a delimiter, and what is encoded already", () => {
    const value = "https://a.example/b?c=d,e;f@g:h&i#j+k[l]%2Fm n";
    expect(query({ allowReserved: true }, value)).toBe("q=https://a.example/b?c=d,e;f@g:h%26i%23j%2Bk%5Bl%5D%2Fm%20n");
    expect(query({}, "a/b")).toBe("q=a%2Fb");
  });

  test("of deepObject is nested as vendors do, with an index for each item of a list", () => {
    const deep = { style: "deepObject", explode: true };
    const value = { gte: 1, address: { city: "Köln", lines: ["a", { b: "c" }] }, none: null };
    expect(decodeURIComponent(query(deep, value, "created"))).toBe(
      "created[gte]=1&created[address][city]=Köln&created[address][lines][0]=a&created[address][lines][1][b]=c",
    );
    expect(decodeURIComponent(query(deep, ["data.customer"], "expand"))).toBe("expand[0]=data.customer");
    expect(query(deep, 5, "created")).toBe("created=5");
  });

  test("with content application/json is one JSON document, wherever the parameter is", () => {
    const row = (place: "query" | "path" | "header" | "cookie"): WireParameter => {
      return { ...wireParameter(place, "f"), content: "application/json" };
    };
    const value = { a: ["x", 1], b: null };
    const json = JSON.stringify(value);
    expect(serializeParameter(row("query"), value, percentEncode)).toBe(`f=${encodeURIComponent(json)}`);
    expect(serializeParameter(row("path"), value, percentEncode)).toBe(encodeURIComponent(json));
    expect(serializeParameter(row("header"), value, headerText)).toBe(json);
    expect(serializeParameter(row("cookie"), "x", percentEncode)).toBe("f=%22x%22");
  });

  test("that is an empty list or object is not sent, and absent items are left out", () => {
    for (const explode of [true, false]) {
      expect(query({ explode }, [])).toBe("");
      expect(query({ explode }, {})).toBe("");
    }
    expect(query({ style: "deepObject" }, {})).toBe("");
    expect(query({ explode: false }, ["a", null, "b"])).toBe("q=a,b");
    expect(query({}, { a: null, b: 1 })).toBe("b=1");
  });

  test("that a style cannot write is JSON text", () => {
    expect(query({}, [{ a: 1 }])).toBe("q=%7B%22a%22%3A1%7D");
    expect(query({ explode: false }, { a: { b: 1 } })).toBe("q=a,%7B%22b%22%3A1%7D");
  });

  test("in a header is not encoded, and a list in it has commas", () => {
    const header = wireParameter("header", "X-Ids");
    expect(serializeParameter(header, ["a b", "c/d"], headerText)).toBe("a b,c/d");
  });

  test("with half a surrogate pair is written and does not fail", () => {
    expect(query({}, "\ud800")).toBe("q=%EF%BF%BD");
  });
});
