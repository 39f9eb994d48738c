import { describe, expect, test } from "vitest";
import { URL as GuestUrl } from "#lib/platform/sandbox/guest/url";
import { URLSearchParams as GuestParams } from "#lib/platform/sandbox/guest/url-search-params";
import { seededRandom } from "#lib/support/seeded-random.fixture";

/** Compares the URL of user code with the platform's. */
const PARTS = [
  "href",
  "origin",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
] as const;
type UrlLike = Record<(typeof PARTS)[number], string> & { searchParams: { toString(): string } };

function partsOf(url: UrlLike | null): Record<string, string> | null {
  return url && Object.fromEntries([...PARTS.map((part) => [part, url[part]]), ["params", `${url.searchParams}`]]);
}

const draw = seededRandom(17);
const PIECES = [
  "http:",
  "https:",
  "HTTP:",
  "file:",
  "ftp:",
  "ws:",
  "foo:",
  "mailto:",
  "data:",
  "javascript:",
  "blob:https:",
  "/",
  "//",
  "///",
  "\\",
  "?",
  "#",
  "@",
  ":",
  ".",
  "..",
  "/./",
  "/../",
  "%2e",
  "%2E%2e",
  "%",
  "%4",
  "%41",
  "%ff",
  "%00",
  "user",
  "pa ss",
  "a",
  "b",
  "c:",
  "C|",
  "example.com",
  "EXAMPLE.com",
  "localhost",
  "münchen.de",
  "日本。jp",
  "xn--mnchen-3ya.de",
  "127.0.0.1",
  "0x7f.1",
  "017700000001",
  "1.2.3.4.5",
  "256",
  "1.",
  "[::1]",
  "[1:2::7:8]",
  "[::ffff:1.2.3.4]",
  "[1::2::3]",
  "[v1]",
  "8080",
  "80",
  "443",
  "99999",
  "0",
  " ",
  "\t",
  "\n",
  "^",
  "`",
  "{",
  "}",
  "<",
  ">",
  '"',
  "'",
  "|",
  "[",
  "]",
  "+",
  "&",
  "=",
  "é",
  "😀",
  "\ud800",
  "~",
  "!",
  "$",
  "*",
  ",",
  ";",
  "(",
  ")",
  "q=1",
  "x y",
] as const;
const randomText = (most: number, pieces: readonly string[] = PIECES) =>
  Array.from({ length: draw.below(most) }, () => draw.pick(pieces)).join("");
/** The platform's parameters misread a broken escape next to a non-ASCII letter; its URL does not. */
const QUERY_PIECES = [...PIECES.filter((piece) => /^\p{ASCII}*$/u.test(piece)), "%C3%A9", "%F0%9F%98%80"];
const BASES = [
  undefined,
  undefined,
  "http://u:p@host.com:8080/a/b/c?q=1#f",
  "file:///C:/dir/file",
  "foo://h/p/q?r",
  "mailto:x@y",
  "data:text,x",
] as const;

describe("URL", () => {
  test("reads ten thousand random texts as the platform does", () => {
    for (let round = 0; round < 10_000; round += 1) {
      const [text, base] = [randomText(7), draw.pick(BASES)];
      expect({ text, base, parts: partsOf(GuestUrl.parse(text, base)) }).toEqual({
        text,
        base,
        parts: partsOf(URL.parse(text, base)),
      });
    }
  });

  test("sets parts as the platform does", () => {
    const settable = PARTS.filter((part) => part !== "origin" && part !== "href");
    for (let round = 0; round < 5_000; round += 1) {
      const start = draw.pick(["http://u:p@h.com:81/a?b#c", "https://h", "file:///a/b", "foo:opaque?x", "foo://h/p"]);
      const [guest, own] = [new GuestUrl(start), new URL(start)];
      const changes = Array.from({ length: 3 }, () => [draw.pick(settable), randomText(3)] as const);
      for (const [part, text] of changes) {
        guest[part] = text;
        own[part] = text;
      }
      expect({ start, changes, parts: partsOf(guest) }).toEqual({ start, changes, parts: partsOf(own) });
    }
  });

  /** From the toASCII and IPv4 cases of the web platform tests. */
  const HOSTS = [
    "faß.ExAmPlE",
    "☃.example",
    "a\u00adb.com",
    "０Ｘｃ０．０２５０．０１",
    "x..y",
    "%ef%bc%85%ef%bc%94%ef%bc%91.com",
    "ａ.com",
    "1e2.0",
    "4294967296",
  ];
  test.each([...HOSTS, "xn--a", "\u200b", "a%00b", "[::1%25en0]"])("reads the host %j as the platform does", (host) => {
    const text = `https://${host}/`;
    expect(partsOf(GuestUrl.parse(text))).toEqual(partsOf(URL.parse(text)));
  });

  test("fails as the platform does", () => {
    expect(() => new GuestUrl("nowhere")).toThrow(TypeError);
    expect(GuestUrl.canParse("nowhere")).toBe(false);
    expect(GuestUrl.canParse("/a", "http://h")).toBe(true);
    const url = new GuestUrl("http://h/");
    expect(() => {
      url.href = "nowhere";
    }).toThrow(TypeError);
    expect(JSON.stringify({ url })).toBe('{"url":"http://h/"}');
  });
});

describe("URLSearchParams", () => {
  test("reads and writes random queries as the platform does", () => {
    for (let round = 0; round < 3_000; round += 1) {
      const query = randomText(9, QUERY_PIECES);
      const [guest, own] = [new GuestParams(query), new URLSearchParams(query)];
      for (const change of ["append", "set", "delete", "sort"] as const) {
        const [name, value] = [draw.pick(["a", "b", "q", "x y"]), randomText(2)];
        guest[change](name, value);
        own[change](name, value);
        expect({ query, text: `${guest}`, pairs: [...guest], size: guest.size }).toEqual({
          query,
          text: `${own}`,
          pairs: [...own],
          size: own.size,
        });
      }
      expect([guest.get("a"), guest.getAll("b"), guest.has("q"), guest.has("q", "1")]).toEqual([
        own.get("a"),
        own.getAll("b"),
        own.has("q"),
        own.has("q", "1"),
      ]);
    }
  });

  test("can be built from pairs, records and other parameters", () => {
    for (const init of [
      { a: "1", b: "ü" },
      [
        ["a", "1"],
        ["a", "2"],
      ] as [string, string][],
      new Map([["k", "v"]]),
    ]) {
      expect(`${new GuestParams(init)}`).toBe(`${new URLSearchParams(init as Record<string, string>)}`);
    }
    expect(`${new GuestParams(new GuestParams("a=1&b=2"))}`).toBe("a=1&b=2");
    expect(() => new GuestParams([["a"]] as unknown as [string, string][])).toThrow(TypeError);
  });

  test("of a URL writes changes back, and follows changes of the URL", () => {
    const url = new GuestUrl("http://h/?a=1");
    const { searchParams } = url;
    searchParams.append("b", "x y&z");
    expect(url.href).toBe("http://h/?a=1&b=x+y%26z");
    searchParams.delete("a");
    searchParams.delete("b");
    expect(url.href).toBe("http://h/");
    url.search = "?c=3";
    expect(searchParams.get("c")).toBe("3");
    expect([...searchParams.keys(), ...searchParams.values()]).toEqual(["c", "3"]);
  });
});
