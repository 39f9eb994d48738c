import { expect, test } from "vitest";
import { newCleanPayloads } from "#lib/core/redaction/clean-values";
import { createMask } from "#lib/core/redaction/mask-texts";
import { sanitize } from "#lib/core/redaction/sanitize";

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
