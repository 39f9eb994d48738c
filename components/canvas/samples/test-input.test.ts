import { expect, test } from "vitest";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, NodeType } from "#lib/contract/workflow/graph";
import { emptyTexts, exampleTexts, readTestInput, testSchemaOf, textsOf } from "@/components/canvas/samples/test-input";

const NOW = Date.parse("2026-03-01T09:00:00Z");

function startingWith(type: NodeType, data: JsonObject): Definition {
  return { nodes: [{ id: "start", type, position: { x: 0, y: 0 }, data }], edges: [] };
}

const CALLABLE = startingWith("action_input", {
  properties: [
    { name: "order_id", type: "string", required: true },
    { name: "amount", type: "number", required: false, default: 5 },
  ],
});

test("the example of a callable workflow has all required fields and can be sent unchanged", () => {
  expect(readTestInput(CALLABLE, exampleTexts(CALLABLE, NOW), NOW)).toEqual({
    input: { order_id: "text" },
    errors: {},
  });
});

test("the input of an earlier run is restored unchanged", () => {
  const input = { order_id: "A-1", amount: 7 };
  expect(readTestInput(CALLABLE, textsOf(CALLABLE, input), NOW).input).toEqual(input);
  expect(readTestInput(CALLABLE, { ...textsOf(CALLABLE, input), amount: "x" }, NOW).errors).toHaveProperty("amount");
});

test("a webhook's body may be any JSON or empty, and invalid JSON is an error of the field", () => {
  const webhook = startingWith("trigger", { kind: "webhook" });
  const bodyOf = (text: string) => readTestInput(webhook, { body: text }, NOW);
  expect(bodyOf("[1]").input).toEqual({ output: { body: [1], timestamp: "2026-03-01T09:00:00.000Z" } });
  expect(readTestInput(webhook, emptyTexts(webhook), NOW).input).toMatchObject({ output: { body: null } });
  expect(bodyOf("{").errors).toHaveProperty("body");
  const texts = exampleTexts(webhook, NOW);
  expect(textsOf(webhook, readTestInput(webhook, texts, NOW).input)).toEqual(texts);
});

test("a long number in an event keeps its digits as a text, and the run says where, as if it had arrived", () => {
  const webhook = startingWith("trigger", { kind: "webhook" });
  expect(readTestInput(webhook, { body: '{"id": 8202522731445525542, "n": 1}' }, NOW)).toEqual({
    input: {
      numbers_as_text: ["trigger.output.body.id"],
      output: { body: { id: "8202522731445525542", n: 1 }, timestamp: "2026-03-01T09:00:00.000Z" },
    },
    errors: {},
  });
  const connector = startingWith("trigger", { kind: "connector" });
  expect(readTestInput(connector, { output: '{"data": {"chat": {"id": -9007199254740993}}}' }, NOW).input).toEqual({
    numbers_as_text: ["trigger.output.data.chat.id"],
    output: { data: { chat: { id: "-9007199254740993" } } },
  });
});

test("a long number in a field is an error, and nothing is sent in its place", () => {
  const action = startingWith("action_input", {
    properties: [
      { name: "id", type: "integer", required: true },
      { name: "lines", type: "array", required: false },
    ],
  });
  expect(readTestInput(action, { id: "9007199254740993", lines: '[{"sku": 9007199254740993}]' }, NOW)).toEqual({
    input: {},
    errors: {
      id: "This number has more digits than a number can keep. Put it in quotes.",
      lines: "The number at 0.sku has more digits than a number can keep. Put it in quotes.",
    },
  });
});

test.each(["01/02/2026", "1", "2026-02-30", "2026-03-01T09:00", "2026-03-01T25:00Z", "2026-03-01T09:00+25:00"])(
  "%s is no moment of a schedule",
  (timestamp) => {
    const schedule = startingWith("trigger", { kind: "schedule", mode: "interval", seconds: 90 });
    expect(readTestInput(schedule, { timestamp }, NOW).errors).toHaveProperty("timestamp");
  },
);

test("a schedule provides its time, its kind and its expression", () => {
  const schedule = startingWith("trigger", { kind: "schedule", mode: "interval", seconds: 90 });
  expect(readTestInput(schedule, { timestamp: "" }, NOW).input).toEqual({
    output: { timestamp: "2026-03-01T09:00:00.000Z", scheduleType: "interval", expression: "every 90s" },
  });
  expect(readTestInput(schedule, { timestamp: "tomorrow-ish" }, NOW).errors).toHaveProperty("timestamp");
});

test("the draft of a form is tested with the fields of the form", () => {
  const fields = [
    { name: "email", type: "email", required: true },
    { name: "seats", type: "integer" },
  ];
  const form = startingWith("trigger", { kind: "form", title: "Sign up", fields });
  expect(testSchemaOf(form)).toMatchObject({ properties: { seats: { type: "integer" } }, required: ["email"] });
  const texts = { email: "ada@example.com", seats: "2" };
  const { input } = readTestInput(form, texts, NOW);
  expect(input).toEqual({
    output: { body: { email: "ada@example.com", seats: 2 }, timestamp: new Date(NOW).toISOString() },
  });
  expect(textsOf(form, input)).toMatchObject(texts);
  expect(readTestInput(form, { email: "x", seats: "two" }, NOW).errors).toHaveProperty("seats");
});
