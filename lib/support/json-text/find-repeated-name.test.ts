import { expect, test } from "vitest";
import { findRepeatedName } from "#lib/support/json-text/find-repeated-name";

const find = (text: string) => findRepeatedName(text, JSON.parse(text));

test.each([
  ['{"a":1,"a":2}', ["a"]],
  ['{"a":1,"a":1}', ["a"]],
  ['{"a":1,"\\u0061":2}', ["a"]],
  ['{"":1, "" : 2}', [""]],
  ['{ "a" :\n1 ,\t"a"\r\n: 2 }', ["a"]],
  ['{"__proto__":1,"__proto__":2}', ["__proto__"]],
  ['{"constructor":{},"constructor":{}}', ["constructor"]],
  ['{"a":{"b":1,"b":2}}', ["a", "b"]],
  ['{"x":{"a":1},"a":[{"a":1},{"b":{"a":1},"c":0,"b":2}]}', ["a", 1, "b"]],
  ['[[{}],[0,{"a":[],"a":{}}]]', [1, 1, "a"]],
  ['{"a":{"a":{"a":1}},"b":"a","a":0}', ["a"]],
  ['{"a\\"b":1,"a\\"b":2}', ['a"b']],
  ['{"a\\\\":1,"a\\\\":2}', ["a\\"]],
  ['{"text":"{\\"a\\":1,\\"a\\":2}","b":":","b":"::"}', ["b"]],
])("%s has a name twice in one object", (text, path) => {
  expect(find(text)).toEqual(path);
});

test.each([
  "null",
  '"a:a"',
  "[]",
  "{}",
  '{"a":1,"A":2}',
  '{"a":{"a":{"a":[{"a":1},{"a":2}]}}}',
  '[{"a":1},{"a":1}]',
  '{"a":"\\"a\\":1,\\"a\\":2","b":"::{[,"}',
  '{"__proto__":{"__proto__":1},"constructor":1,"toString":2}',
  '{"1":1,"01":2,"1.0":3}',
  '{"é":1,"e\u0301":2}',
])("%s has no name twice in one object", (text) => {
  expect(find(text)).toBeNull();
});

test("a large text is read in linear time, also one that consists of names, quotes, and spaces", () => {
  const texts = [
    JSON.stringify(Array.from({ length: 50_000 }, (_, at) => ({ [`a${at}`]: "x:y", b: { c: at } }))),
    `{${Array.from({ length: 50_000 }, (_, at) => `"${"k".repeat(at % 9)}${at}" ${" ".repeat(20)}: 1`).join(",")}}`,
    JSON.stringify({ text: '\\":'.repeat(300_000) }),
  ];
  for (const text of texts) expect(find(text)).toBeNull();
  const repeated = `{"list":[${'{"a":1,"b":2},'.repeat(50_000)}0],"z":1,"z":2}`;
  expect(find(repeated)).toEqual(["z"]);
});
