import { describe, expect, test } from "vitest";
import { checkValue } from "#lib/connectors/custom/check-value";
import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";

const problems = (schema: JsonObject, value: unknown, options = {}) =>
  checkValue(schema, value, ["body"], options).map(({ path, message }) => `${path.join(".")} ${message}`);

const PERSON: JsonObject = {
  type: "object",
  required: ["id", "name", "age"],
  properties: {
    id: { type: "string", readOnly: true },
    name: { type: "string", minLength: 1, maxLength: 5 },
    age: { type: "integer", minimum: 18, maximum: 130 },
    color: { enum: ["red", "blue"] },
    tags: { type: "array", items: { type: "string" }, maxItems: 2 },
    note: { type: "string" },
  },
  additionalProperties: false,
};
const ada = { name: "Ada", age: 36 };

test.each([
  [ada, []],
  [{ ...ada, note: null, tags: ["a"], color: "red" }, []],
  [{ ...ada, age: "36" }, ["body.age must be an integer"]],
  [{ ...ada, age: 1.5 }, ["body.age must be an integer"]],
  [{ ...ada, age: 17 }, ["body.age must be at least 18"]],
  [{ name: "Ada" }, ["body.age is required"]],
  [{ ...ada, name: null }, ["body.name must be text"]],
  [{ ...ada, name: "Adaline" }, ["body.name must have a length of at most 5"]],
  [{ ...ada, name: "😀😀😀" }, []],
  [{ ...ada, color: "green" }, ['body.color must be one of "red", "blue"']],
  [
    { ...ada, tags: ["a", 1, "c"] },
    ["body.tags must have at most this number of items: 2", "body.tags.1 must be text"],
  ],
  [{ ...ada, nmae: "x" }, ['body.nmae is not a known field; did you mean "name" or "note"?']],
  ["Ada", ["body must be an object"]],
])("the value %j has the problems %j", (value, expected) => {
  expect(problems(PERSON, value)).toEqual(expected);
});

test("what only the service sets is not required, and null fits what is optional or nullable", () => {
  expect(problems({ type: ["string", "null"] }, null)).toEqual([]);
  expect(problems({ type: "string", nullable: true }, null)).toEqual([]);
  expect(problems({ type: "string" }, null)).toEqual(["body must be text"]);
});

describe("a value that is written as text", () => {
  test.each([
    [{ type: "integer" }, "10", []],
    [{ type: "integer" }, "ten", ["body must be an integer"]],
    [{ type: "integer" }, "1.5", ["body must be an integer"]],
    [{ type: "integer" }, "8202522731445525542", []],
    [{ type: "integer" }, "9007199254740993.5", ["body must be an integer"]],
    [{ type: "integer" }, "1.50e1", []],
    [{ type: "integer" }, "0x10", ["body must be an integer"]],
    [{ type: "string" }, 10, []],
    [{ type: "boolean" }, "true", []],
    [{ type: "boolean" }, "yes", ["body must be true or false"]],
    [{ type: "integer", enum: [1, 2] }, "2", []],
    [{ type: "array" }, "a", ["body must be a list"]],
  ])("fits %j as %j with the problems %j", (schema, value, expected) => {
    expect(problems(schema, value, { isText: true })).toEqual(expected);
  });
});

describe("a composed schema", () => {
  const cat = { type: "object", required: ["meow"], properties: { meow: { type: "boolean" } } };
  const dog = { type: "object", required: ["bark"], properties: { bark: { type: "boolean" } } };

  test("of choices takes what fits one of them, and reports the nearest one otherwise", () => {
    const pet = { oneOf: [cat, dog, { type: "string" }] };
    expect(problems(pet, { meow: true })).toEqual([]);
    expect(problems(pet, "cat")).toEqual([]);
    expect(problems(pet, { bark: 1 })).toEqual(["body.bark must be true or false"]);
    expect(problems({ anyOf: [{ type: "string" }, { type: "integer" }] }, true)).toEqual(["body must be text"]);
  });

  test("of parts knows the fields of all of them", () => {
    const closed = {
      allOf: [
        { ...cat, additionalProperties: false },
        { ...dog, additionalProperties: false },
      ],
    };
    expect(problems(closed, { meow: true, bark: false })).toEqual([]);
    expect(problems(closed, { meow: true })).toEqual(["body.bark is required"]);
    const set = { allOf: [{ required: ["id"] }, { properties: { id: { type: "string", readOnly: true } } }] };
    expect(problems(set, {})).toEqual([]);
  });

  test("that multiplies its choices costs a bounded amount of work", () => {
    let schema: JsonObject = { type: "integer" };
    for (let level = 0; level < 12; level += 1) {
      schema = {
        anyOf: Array.from({ length: 9 }, () => ({ type: "object", required: ["x"], properties: { x: schema } })),
      };
    }
    let value: unknown = "wrong";
    for (let level = 0; level < 12; level += 1) value = { x: value };
    let compared = 0;
    const isOpen = () => {
      compared += 1;
      return false;
    };
    checkValue(schema, value, [], { isOpen });
    expect(compared).toBeLessThanOrEqual(LIMITS.paramChecks);
  });
});

test("values that are known only later fit everything, and what is next to them is checked", () => {
  const isOpen = (value: unknown) => typeof value === "string" && value.includes("{{");
  expect(problems(PERSON, "{{start.person}}", { isOpen })).toEqual([]);
  expect(problems(PERSON, { name: "{{start.name}}", age: "x" }, { isOpen })).toEqual(["body.age must be an integer"]);
});
