import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createMask } from "#lib/core/redaction/mask-texts";
import { newCleanPayloads, sanitize } from "#lib/core/redaction/sanitize";

const UUID = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";

/** Each line contains a text before and after. */
function rewrites(cases: [before: string, after: string][]): void {
  test.each(cases)("%s", (before, after) => {
    expect(sanitize(before)).toBe(after);
  });
}

function stays(...texts: string[]): void {
  test.each(texts)("stays: %s", (text) => {
    expect(sanitize(text)).toBe(text);
  });
}

describe("bearer tokens", () => {
  rewrites([
    ["Bearer abc123", "Bearer [REDACTED]"],
    ["Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln-_A==", "Authorization: Bearer [REDACTED]"],
    ["bearer secrettoken, BEARER\tmF_9.B5f-4.1JqM", "Bearer [REDACTED], Bearer [REDACTED]"],
    ["Bearer token.abc", "Bearer [REDACTED]"],
  ]);
  stays(
    "Bearer token is missing",
    "the bearer of this letter",
    'Bearer realm="api", error="x"',
    "Bearer",
    "forbearer abc",
  );
});

describe("assignments of secrets", () => {
  rewrites([
    ["api_key=abcdefghijklmnop", "[REDACTED]"],
    ["a=1&access_token=abcdefghijklmnop&b=2", "a=1&[REDACTED]&b=2"],
    ["secret_key: 'four words of value', x", "[REDACTED]', x"],
    ['{"access_token":"abcdefghijklmnop","x":1}', '{"[REDACTED]","x":1}'],
    [String.raw`{\"apiKey\":\"abcdefghijklmnop\",\"x\":1}`, String.raw`{\"[REDACTED]\",\"x\":1}`],
    ["STRIPE_SECRET_KEY=abcdefghijklmnop", "STRIPE_[REDACTED]"],
    ["X-Api-Key: abcdefghijklmnop", "X-[REDACTED]"],
    ["accessToken => abcdefghijklmnop", "[REDACTED]"],
  ]);
  stays(
    "api_key=abcdefghijklmno",
    'access_token: "fifteen letters"',
    "the api_key is missing from the request",
    "secret_keys=abcdefghijklmnop",
    "token=abcdefghijklmnop",
  );
});

describe("pairs in objects", () => {
  test("the value under a secret's name is removed if it has 16 or more characters", () => {
    const value = "abcdefghijklmnop";
    expect(sanitize({ access_token: value, apiKey: value, STRIPE_SECRET_KEY: value, other: value })).toEqual({
      access_token: "[REDACTED]",
      apiKey: "[REDACTED]",
      STRIPE_SECRET_KEY: "[REDACTED]",
      other: value,
    });
    const short = { access_token: "abcdefghijklmno", api_key: 1234567890123456, secret_key: null, api_key_id: value };
    expect(sanitize(short)).toBe(short);
  });

  test("keys are not values and are kept", () => {
    const keys = { "ann@example.com": 1, "+7 912 345-67-89": true };
    expect(sanitize(keys)).toBe(keys);
  });
});

describe("our own keys", () => {
  const key = `svc_${"aB3-_x9Z".repeat(4)}`;
  rewrites([
    [key, "[REDACTED_TOKEN]"],
    [`key ${key}, bye`, "key [REDACTED_TOKEN], bye"],
    [`"${key}"`, '"[REDACTED_TOKEN]"'],
  ]);
  stays(key.slice(0, -1), "svc_aB3-", "svc_payment_worker");
});

describe("email addresses", () => {
  rewrites([
    ["ann@example.com", "[REDACTED_EMAIL]"],
    ["Ann <ann.smith+tag@mail.example.co.uk>, hi.", "Ann <[REDACTED_EMAIL]>, hi."],
    ["a@b.co,c@d.io", "[REDACTED_EMAIL],[REDACTED_EMAIL]"],
    ["?email=ann%40example.com&x=1", "?email=[REDACTED_EMAIL]&x=1"],
    ["анна@почта.рф", "[REDACTED_EMAIL]"],
    ["x@xn--80a1acny.xn--p1ai", "[REDACTED_EMAIL]"],
    [`${"x".repeat(100)}@example.com`, "[REDACTED_EMAIL]"],
    ["mail ann@example.com.", "mail [REDACTED_EMAIL]."],
  ]);
  stays("icon@2x.png", "react@19.3.1", "@ann", "ann@", "ann@localhost", "user @ example.com", "a@b@c", "@example.com");
});

describe("Russian phone numbers", () => {
  rewrites([
    ["+7 912 345-67-89", "[REDACTED_PHONE]"],
    ["+79123456789", "[REDACTED_PHONE]"],
    ["+7(912)345-67-89 or 8 (800) 555-35-35", "[REDACTED_PHONE] or [REDACTED_PHONE]"],
    ["tel:+7.912.345.67.89", "tel:[REDACTED_PHONE]"],
    ["phone=%2B79123456789", "phone=[REDACTED_PHONE]"],
    ["89123456789", "[REDACTED_PHONE]"],
    ["8-912-345-67-89,", "[REDACTED_PHONE],"],
    ["8 (495) 123-45-67ext. 5", "[REDACTED_PHONE]ext. 5"],
    ["тел.8 912 345 67 89", "тел.[REDACTED_PHONE]"],
    ["+7\u00a0912\u00a0345\u201167\u201189", "[REDACTED_PHONE]"],
  ]);
  stays(
    "12345678901",
    "81234567890",
    "89123456",
    "891234567890",
    "0.89123456789",
    "order_89123456789",
    "8 912 345 678",
    "2024-08-12T10:30:45.678Z",
    "+49 30 901820",
    "8\n912\n345\n67\n89",
    "0190a1b2-8912-7456-8916-1234567abcde",
  );
});

describe("long tokens", () => {
  rewrites([
    ["da39a3ee5e6b4b0d3255bfef95601890afd80709", "[REDACTED_TOKEN]"],
    [`sha256:${"ab12".repeat(16)}`, "sha256:[REDACTED_TOKEN]"],
    ["dGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIHRoZQ==", "[REDACTED_TOKEN]"],
    ["sk_test_abcdefghijklmnopqrstuvwxyz0123456789", "[REDACTED_TOKEN]"],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "[REDACTED_TOKEN]"],
    ["/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit", "/d/[REDACTED_TOKEN]/edit"],
    ["a".repeat(40), "[REDACTED_TOKEN]"],
  ]);
  stays(
    "a".repeat(39),
    UUID,
    `${UUID}_${UUID}`,
    `/api/v1/workspaces/${UUID}/runs/${UUID}/steps`,
    "/api/v1/customers/12345/orders/67890/items/65f1a2b3c4d5e6f708192a3b/history",
    "https://example.com/services/OrderService/GetOrderDetailsByCustomerIdentifier/list",
    "/runs/01ARZ3NDEKTSV4RRFFQ69G5FAV/steps/connector/output",
    "how-to-build-a-very-long-blog-post-title-with-words-in-2024",
    "this_is_a_very_long_snake_case_identifier_name_of_a_thing",
    "-".repeat(200),
    "one two three four five six seven eight nine ten eleven twelve",
  );

  test("random tokens in every encoding are removed, whatever separators they contain", () => {
    let kept = 0;
    for (let round = 0; round < 5_000; round += 1) {
      for (const encoding of ["hex", "base64", "base64url"] as const) {
        const rest = sanitize(randomBytes(48).toString(encoding)).replaceAll("[REDACTED_TOKEN]", "");
        if (rest.length > 20) kept += 1;
      }
    }
    expect(kept).toBeLessThanOrEqual(5);
  });
});

describe("the order of the rules", () => {
  test("later rules do not change what an earlier rule has replaced", () => {
    expect(sanitize("Bearer ann@example.com")).toBe("Bearer [REDACTED]@example.com");
    expect(sanitize("api_key=ann.smith@example.com")).toBe("[REDACTED]");
    expect(sanitize(`${"a1".repeat(25)}@example.com`)).toBe("[REDACTED_EMAIL]");
  });

  test("a clean payload is not changed", () => {
    const clean = sanitize({
      a: "Bearer abc123 +7 912 345-67-89 ann@example.com",
      b: ["da39a3ee5e6b4b0d3255bfef95601890afd80709"],
      access_token: "abcdefghijklmnop",
    });
    expect(sanitize(clean)).toBe(clean);
  });
});

describe("structure", () => {
  function nested(levels: number, leaf: unknown): unknown {
    let value = leaf;
    for (let level = 0; level < levels; level += 1) value = level % 2 ? { a: value } : [value];
    return value;
  }

  test("level 10 is cleaned, and everything deeper is truncated", () => {
    expect(sanitize(nested(10, "ann@example.com"))).toEqual(nested(10, "[REDACTED_EMAIL]"));
    expect(sanitize(nested(11, "ann@example.com"))).toEqual(nested(11, "[TRUNCATED_DEPTH]"));
    expect(sanitize(nested(11, {}))).toEqual(nested(11, "[TRUNCATED_DEPTH]"));
    expect(JSON.stringify(sanitize(nested(100_000, "x"))).match(/TRUNCATED_DEPTH/g)).toHaveLength(1);
  });

  test("numbers, booleans and null are not changed, at any level", () => {
    for (const leaf of [89123456789, true, null]) {
      const value = nested(11, leaf);
      expect(sanitize(value)).toBe(value);
    }
  });

  test("the same reference is returned unless something had to change, and the original is never modified", () => {
    const clean = { a: [1, "text", { b: null }], c: "x" };
    expect(sanitize(clean)).toBe(clean);
    const dirty = { clean, mail: "ann@example.com", list: ["a", "ann@example.com"] };
    const before = structuredClone(dirty);
    const result = sanitize(dirty);
    expect(result).toEqual({ clean, mail: "[REDACTED_EMAIL]", list: ["a", "[REDACTED_EMAIL]"] });
    expect(result.clean).toBe(clean);
    expect(dirty).toEqual(before);
  });

  test("a key __proto__ is kept as a key", () => {
    const result = sanitize(JSON.parse('{"__proto__":{"mail":"ann@example.com"},"a":1}'));
    expect(JSON.stringify(result)).toBe('{"__proto__":{"mail":"[REDACTED_EMAIL]"},"a":1}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });
});

describe("hostile texts of a megabyte", () => {
  const units = [
    "a",
    "a.",
    "a@",
    "a@a.",
    "@a.a",
    "@a.a.a.a.a.a.a.a.a1",
    "%40",
    "%40a",
    "%40a.b",
    "a%40a.",
    "иван@почта.",
    "8-",
    "8(",
    "8 ",
    "+7",
    "8 912 345 6 ",
    "891234567",
    "api_key",
    "api_key=",
    'api_key="',
    "api_key='x",
    "access_token:  ",
    'api_key="abc',
    "Bearer",
    "Bearer ",
    "Bearer  ",
    "Bearer a ",
    "svc_",
    "eyJ",
    "eyJaaaaaaaaa.",
    "aB3/",
    "aB3-",
    "aB3_",
    `${"x".repeat(39)} `,
    "/",
    "-",
    "=",
    " ",
    "\\",
    '"',
    '\\"',
  ];

  test.each(units)("a text that repeats %j does not hang", (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    for (const prefix of ["", "a@"]) expect(typeof sanitize(prefix + text)).toBe("string");
  });

  test("a run of 20 million characters does not exhaust the pattern's stack", () => {
    const text = "a".repeat(20_000_000);
    expect(sanitize(text)).toBe("[REDACTED_TOKEN]");
    expect(sanitize(`api_key="${text}`)).toBe("[REDACTED]");
    expect(sanitize(`Bearer ${text}`)).toBe("Bearer [REDACTED]");
  });
});

test("headers whose name says that they are credentials are hidden, and others are readable", () => {
  const headers = {
    "set-cookie": "session=1; Path=/\nb=2",
    "x-next-page": "2",
    authorization: "Basic YTpi",
    etag: "e",
  };
  expect(sanitize({ status: 200, headers, note: { "set-cookie": "kept" } })).toEqual({
    status: 200,
    headers: { "set-cookie": "[REDACTED]", "x-next-page": "2", authorization: "Basic [REDACTED]", etag: "e" },
    note: { "set-cookie": "kept" },
  });
  const clean = { headers: { "x-next-page": "2", cookie: "" } };
  expect(sanitize(clean)).toBe(clean);
});

const words = "some words of a text ".repeat(1_000);
const members = (text: string) =>
  Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`k${index}`, `${text} ${index}`]));

/** Passed on at several depths, under names that hide a value, and in headers. */
function payloadsWith(value: unknown): unknown[] {
  const deep = (levels: number): unknown => (levels === 0 ? value : { a: deep(levels - 1) });
  const places = [
    value,
    { value },
    { api_key: value },
    { headers: value },
    [[value]],
    ...[8, 9, 10, 11, 8].map(deep),
    { value },
  ];
  return [...places, { headers: { "set-cookie": value, text: value } }];
}

test.each([
  ["a text", words],
  ["a text with an address", `${words}ada@example.org`],
  ["an object", members("plain")],
  [
    "an object with secrets",
    { ...members("call +79161234567"), authorization: "secret-1", access_token: "a".repeat(20) },
  ],
  ["a list of objects", [members("plain"), { inner: { inner: members("ada@example.org") } }]],
])("%s that is passed on is cleaned the same way as alone", (_name, value) => {
  const known = newCleanPayloads();
  const mask = createMask([{ text: "words of", masked: "[REDACTED]" }]);
  for (const payload of payloadsWith(value)) {
    expect(sanitize(payload, known.sanitized)).toEqual(sanitize(payload));
    expect(sanitize(payload, known.sanitized) === payload).toBe(sanitize(payload) === payload);
    expect(mask(payload, known.masked)).toEqual(mask(payload));
  }
});

test("a large value is cleaned once, and its clean form is the same value again", () => {
  const { sanitized } = newCleanPayloads();
  const value = members("ada@example.org");
  const [first, again] = [sanitize({ value }, sanitized), sanitize({ other: value }, sanitized)];
  expect(first.value).toEqual(members("[REDACTED_EMAIL]"));
  expect(again.other).toBe(first.value);
});

test("texts are forgotten before they fill the memory", () => {
  const { sanitized } = newCleanPayloads();
  for (let index = 0; index < 20; index += 1) sanitize(`${index}${"words ".repeat(100_000)}`, sanitized);
  expect(sanitized.texts.size).toBeLessThan(8);
  expect(sanitized.characters).toBeLessThanOrEqual(4_194_304);
});
