import { expect, test } from "vitest";
import { storableJson } from "#lib/support/json";
import { type JsonParts, jsonParts, newLargeValues } from "#lib/support/json-text/json-parts";

const joined = (parts: JsonParts) => parts.map((part) => (typeof part === "string" ? part : part.text)).join("");
const largeOf = (parts: JsonParts) => parts.filter((part) => typeof part !== "string");

const text = "a line\u0000\n".repeat(2_000);
const sorted = Array.from({ length: 500 }, (_, index) => ({ id: index, name: "some words of a text" }));
const unsorted = Object.fromEntries(sorted.map((item) => [`key ${item.id}`, { name: item.name, id: item.id }]));
const nested = { a: { b: { c: { d: { e: { f: sorted } } } } } };
const wide = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, "x".repeat(900)]));

const payloads: Record<string, unknown> = {
  "a text": text,
  "a list": sorted,
  "a field": { value: text },
  "a response": { status: 200, headers: { "content-type": "text/html" }, body: { rows: sorted, page: 1 } },
  "a list of large values": [unsorted, [text], [], {}, undefined, null, { left: undefined, out: undefined }],
  "a deep value": nested,
  "members that are large only together": wide,
  "a small value": { 'quoted "name"': [1, "\u0000", { __proto__: null, a: true }] },
};

test.each(Object.keys(payloads))("%s has the same JSON in parts", (name) => {
  const known = newLargeValues();
  const parts = jsonParts(payloads[name], known);
  expect(joined(parts)).toBe(storableJson(payloads[name]));
  expect(joined(jsonParts({ value: payloads[name] }, known))).toBe(storableJson({ value: payloads[name] }));
});

test("a large value that is passed on is serialized once", () => {
  const known = newLargeValues();
  const [first] = largeOf(jsonParts({ body: { rows: sorted } }, known));
  const again = largeOf(jsonParts({ value: sorted, text }, known));
  expect(again[0]).toBe(first);
  expect(again[1]).toBe(largeOf(jsonParts([text], known))[0]);
});

test("whether jsonb keeps the order of the keys is known of each large value", () => {
  const order = (value: object) =>
    jsonParts({ value }, newLargeValues()).map((part) => typeof part === "object" && part.keepsKeyOrder);
  expect(order(sorted)).toContain(true);
  expect(order(unsorted)).not.toContain(true);
});
