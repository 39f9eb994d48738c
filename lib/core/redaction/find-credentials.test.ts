import { describe, expect, test } from "vitest";
import { findCredentials, findMasks, maskCredentials } from "#lib/core/redaction/find-credentials";
import { isCredentialName } from "#lib/core/redaction/redact-credentials";

describe("a field contains a credential if its name says so", () => {
  test.each([
    "Authorization",
    "cookie",
    "X-API-Key",
    "api_key",
    "apikey",
    "token",
    "x-gitlab-token",
    "PRIVATE-TOKEN",
    "password",
    "client_secret",
    "access_token",
  ])("%s does", (name) => {
    expect(isCredentialName(name)).toBe(true);
    expect(maskCredentials({ [name]: "abc-1" })).toEqual({ [name]: "[REDACTED]" });
  });

  test.each(["content-type", "x-team", "page_token", "next_token", "max_tokens", "secretary", "author", "key"])(
    "%s does not",
    (name) => {
      expect(isCredentialName(name)).toBe(false);
      expect(findCredentials({ [name]: "abc-1" })).toEqual([]);
    },
  );

  test("the name of a pair is that of its value, at any depth", () => {
    const fields = [
      { name: "token", value: "abc" },
      { name: "note", value: "abc" },
      { name: "password", type: "string" },
    ];
    expect(findCredentials({ fields })).toEqual([{ path: ["fields", 0, "value"], text: "abc", masked: "[REDACTED]" }]);
  });
});

describe("a text contains a credential", () => {
  test.each([
    ["Bearer abc.def-123", "Bearer [REDACTED]"],
    ["use sk-proj-4f9a8b7c6d5e4f3a2b1c now", "use [REDACTED] now"],
    ["ghp_0123456789abcdefghijABCDEFGHIJ012345", "[REDACTED]"],
    [`svc_${"a1B2".repeat(8)}`, "[REDACTED]"],
    ["-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nrest", "[REDACTED]\nrest"],
    ["https://ann:pa55@shop.example/orders", "https://[REDACTED]@shop.example/orders"],
    ["https://shop.example/?token=abcd1234&page=2", "https://shop.example/?token=[REDACTED]&page=2"],
    ["const api_key = 'abcdefgh12345678'", "const [REDACTED]'"],
  ])("%s", (text, masked) => {
    expect(maskCredentials({ note: text })).toEqual({ note: masked });
    // A mask contains no further credential.
    expect(findCredentials({ note: masked })).toEqual([]);
  });

  test.each([
    "{{action_input.token}}",
    "Bearer {{login.body.access_token}}",
    "https://{{action_input.user}}:{{action_input.password}}@shop.example",
    "https://shop.example/?api_key={{action_input.api_key}}",
    "api_key={{action_input.the_long_name_of_a_field}}",
    "ann@shop.example, +7 912 345 67 89, 1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms",
    "sk-learn-and-other-words-without-digits",
    "task-2024-01-01-weekly-report",
    "Bearer token is missing",
  ])("not in: %s", (text) => {
    expect(findCredentials({ authorization: text, note: text }).filter(({ path }) => path[0] === "note")).toEqual([]);
  });
});

test("an expression as the value of a named field is not a credential, and neither is an empty text or a mask", () => {
  const value = {
    authorization: "Bearer {{login.token}}",
    token: "{{a.b}}",
    password: "",
    cookie: "[REDACTED]",
    secret: 7,
  };
  expect(findCredentials(value)).toEqual([]);
  expect(maskCredentials(value)).toBe(value);
});

test("a scheme stays readable, and masking twice changes nothing", () => {
  const masked = maskCredentials({ Authorization: "Basic YW5uOnBh", headers: ["Bearer abcdef"] });
  expect(masked).toEqual({ Authorization: "Basic [REDACTED]", headers: ["Bearer [REDACTED]"] });
  expect(maskCredentials(masked)).toBe(masked);
});

test("masks are found wherever they are", () => {
  expect(findMasks({ headers: { a: "Bearer [REDACTED]" }, list: ["x", "[REDACTED]"] })).toEqual([
    ["headers", "a"],
    ["list", 1],
  ]);
});

test("a hostile text of a megabyte is masked in linear time", () => {
  const parts = ["sk-", "https://a:", "-----BEGIN PRIVATE KEY-----", "?token=", "api_key=", "123456:", "eyJaaaaaaaa."];
  for (const part of parts) {
    const text = part.repeat(Math.floor(1_048_576 / part.length));
    expect(typeof maskCredentials({ text }).text).toBe("string");
  }
});
