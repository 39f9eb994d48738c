import { describe, expect, test } from "vitest";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import { draftEvent } from "#lib/core/graph/edits/draft-event";

const NOW = new Date("2026-12-01T09:00:00.000Z");
const AT = NOW.toISOString();

function draft(trigger: JsonObject, value = "{{trigger.output.body.order}}"): Definition {
  const position = { x: 0, y: 0 };
  return {
    nodes: [
      { id: "start", type: "trigger", position, data: trigger },
      { id: "make", type: "transform", position, data: { fields: [{ name: "x", value }] } },
    ],
    edges: [{ id: "1", source: "start", target: "make" }],
  };
}

const webhook = { kind: "webhook", scheme: "auto" };
const cron = { kind: "schedule", mode: "cron", expression: "0 9 * * *", timezone: "UTC" };
const connector = { kind: "connector", connector: "hubspot", event: "new_contact", connection_id: "c1" };
const read = (trigger: JsonObject, input: JsonObject) => draftEvent(draft(trigger), input, NOW);

test.each<[string, JsonObject]>([
  ["the event", { body: { order: 1 } }],
  ["the output of the trigger", { output: { body: { order: 1 } } }],
  ["the path that expressions read", { trigger: { output: { body: { order: 1 } } } }],
  ["the path by the trigger's id", { start: { output: { body: { order: 1 } } } }],
])("a webhook's test gets its body as %s", (_name, input) => {
  expect(read(webhook, input)).toEqual({ output: { body: { order: 1 }, timestamp: AT } });
});

test("the places of long numbers in the input of an earlier run stay next to its event", () => {
  const paths = ["trigger.output.body.order"];
  const output = { body: { order: "8202522731445525542" }, timestamp: AT };
  expect(read(webhook, { numbers_as_text: paths, output })).toEqual({ numbers_as_text: paths, output });
  expect(read(webhook, { numbers_as_text: "x", output })).toEqual({ output });
});

test("a webhook's test keeps the time that it got, and a body of any kind", () => {
  expect(read(webhook, { body: [1], timestamp: "2026-01-01T00:00:00Z" })).toEqual({
    output: { body: [1], timestamp: "2026-01-01T00:00:00Z" },
  });
  for (const body of [null, "", 0, false, { output: { body: 1 } }, { body: 1 }]) {
    expect(read(webhook, { body })).toEqual({ output: { body, timestamp: AT } });
  }
});

describe("an event that has nothing for the workflow to read is refused", () => {
  test.each<[string, JsonObject, JsonObject]>([
    ["nothing, for a webhook", webhook, {}],
    ["the fields of the body alone", webhook, { order: 1 }],
    ["an output without a body", webhook, { output: {} }],
    ["an output that is no object", webhook, { output: 1 }],
    ["a body and something else", webhook, { body: {}, headers: {} }],
    ["a body, for a schedule", cron, { body: {} }],
    ["nothing, for a connector", connector, {}],
    ["a body, for a connector", connector, { body: {} }],
  ])("%s", (_name, trigger, input) => {
    expect(() => read(trigger, input)).toThrow(
      expect.objectContaining({ code: "BAD_REQUEST", message: expect.stringMatching(/^input: must be the event/) }),
    );
  });
});

test("a workflow that does not read its webhook runs without an event", () => {
  expect(draftEvent(draft(webhook, "fixed"), {}, NOW)).toEqual({ output: { body: null, timestamp: AT } });
});

test("a schedule's test needs no event, and has the output of one that fires now", () => {
  const interval = { kind: "schedule", mode: "interval", seconds: 60 };
  expect(read(cron, {})).toEqual({ output: { timestamp: AT, scheduleType: "cron", expression: "0 9 * * *" } });
  expect(read(interval, { timestamp: "2026-01-01T00:00:00Z" })).toEqual({
    output: { timestamp: "2026-01-01T00:00:00Z", scheduleType: "interval", expression: "every 60s" },
  });
});

test("a connector's test gets the rest of the event", () => {
  expect(read(connector, { data: { id: 7 } })).toEqual({
    output: {
      event: "new_contact",
      id: "test",
      occurred_at: AT,
      received_at: AT,
      connector: "hubspot",
      connection_id: "c1",
      data: { id: 7 },
    },
  });
});

test("the input of an action stays as it is", () => {
  const definition: Definition = {
    nodes: [{ id: "in", type: "action_input", position: { x: 0, y: 0 }, data: { properties: [] } }],
    edges: [],
  };
  for (const input of [{}, { body: 1 }, { output: { body: 1 } }])
    expect(draftEvent(definition, input, NOW)).toBe(input);
});
