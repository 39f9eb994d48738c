import { describe, expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { findCredentials } from "#lib/core/redaction/find-credentials";
import { createMask, findHiddenTexts } from "#lib/core/redaction/mask-texts";

const maskFor = (definition: unknown) => createMask(findCredentials(definition));

describe("a secret of the definition is masked in any payload", () => {
  test.each([
    ["basic authorization", { Authorization: "Basic YW5uOnBh" }, "got Basic YW5uOnBh", "got Basic [REDACTED]"],
    ["a short token in a header", { "x-auth-token": "abc-12345" }, "abc-12345?", "[REDACTED]?"],
    ["a password", { password: "hunter2" }, "password hunter2 is wrong", "password [REDACTED] is wrong"],
    ["a parameter", { url: "https://a.example/?token=abcd1234&p=1" }, "?q=1&t=abcd1234", "?q=1&t=[REDACTED]"],
    [
      "a short parameter between expressions",
      { url: "https://{{in.host}}/?token=ab12&p={{in.page}}" },
      "https://b.example/?token=ab12&p=7, page ab12",
      "https://b.example/?token=[REDACTED]&p=7, page ab12",
    ],
    ["a password in an address", { note: "https://ann:pa55word@a.example" }, "pa55word", "[REDACTED]"],
    ["an assignment", { source: "const api_key = 'abcdefgh12345678';" }, "abcdefgh12345678", "[REDACTED]"],
    ["a value with characters that JSON escapes", { password: 'a"b\nc-d' }, JSON.stringify('a"b\nc-d'), '"[REDACTED]"'],
    ["a value with characters that a URL escapes", { password: "a b/c+d" }, "?p=a%20b%2Fc%2Bd", "?p=[REDACTED]"],
  ])("%s", (_what, definition, text, masked) => {
    const mask = maskFor(definition);
    expect(mask({ list: [{ text }], n: 1 })).toEqual({ list: [{ text: masked }], n: 1 });
  });

  test("a short one counts as a whole text, and not inside words", () => {
    const mask = maskFor({ token: "cat" });
    expect(mask({ value: "cat", note: "category" })).toEqual({ value: "[REDACTED]", note: "category" });
  });

  test("of a long one, every piece that a text contains", () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj/+Zz\n".repeat(30)}-----END PRIVATE KEY-----`;
    const mask = maskFor({ note: key });
    expect(mask(`before ${key} after`)).toBe("before [REDACTED] after");
    expect(mask({ cut: key.slice(0, 700) }).cut).not.toContain(
      "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj/+Zz\n".repeat(2),
    );
  });

  test("a payload without one is the same reference", () => {
    const payload = { list: ["a", { b: "category" }] };
    expect(maskFor({ token: "abc-12345" })(payload)).toBe(payload);
    expect(maskFor({ note: "no secret" })(payload)).toBe(payload);
  });
});

test("more secrets than can be found quickly mask every text", () => {
  const tokens = Array.from({ length: LIMITS.maskedCharacters / 8 + 1 }, (_, index) => ({
    token: `t${String(index).padStart(7, "0")}`,
  }));
  expect(maskFor(tokens)({ status: 200, body: "anything" })).toEqual({ status: 200, body: "[REDACTED]" });
});

test("a value that another run passed on hides what that run masked, and not what the journal redacts anyway", () => {
  const real = { password: "hunter2", to: "ann@shop.example", header: "Bearer abcdef", list: ["x", "s3cr3t-1"] };
  const shown = {
    password: "[REDACTED]",
    to: "[REDACTED_EMAIL]",
    header: "Bearer [REDACTED]",
    list: ["x", "[REDACTED]"],
  };
  expect(findHiddenTexts(shown, real)).toEqual([
    { text: "hunter2", masked: "[REDACTED]" },
    { text: "s3cr3t-1", masked: "[REDACTED]" },
  ]);
});
