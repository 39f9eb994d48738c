import type { InputSchema, JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { failedRun } from "#lib/core/graph/edits/draft-event";
import { collectPaths, eventInput } from "#lib/core/input/numbers-as-text";
import { readWrittenMoment } from "#lib/core/schedules/read-written-date";
import { deriveInputSchema } from "#lib/core/steps/derive-schemas";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { formSchema } from "#lib/core/steps/trigger/form/form-shape";
import { type NoteLongNumber, parseKeepingDigits } from "#lib/support/exact-json";
import { isJsonObject } from "#lib/support/json";
import { exampleInput } from "@/components/features/actions/example-input";
import {
  type FormErrors,
  type FormValues,
  readFormValues,
  toFormValues,
} from "@/components/features/actions/try-form-values";

/** The input of a test: what a caller or an event would send, as field texts by name. */
export type TestKind = "fields" | "webhook" | "schedule" | "event";

/** The field that contains the event's data, by kind. */
export const EVENT_FIELD = { webhook: "body", schedule: "timestamp", event: "output" } as const;

const WEBHOOK_SAMPLE = { id: "evt_1", type: "order.created", data: { order_id: "A-10492", amount: 120 } };

function triggerOf(definition: Definition): GraphNode | undefined {
  return definition.nodes.find((node) => STEP_KINDS[node.type].starts === "event_driven");
}

export function testKindOf(definition: Definition): TestKind {
  const trigger = triggerOf(definition);
  if (trigger === undefined || isForm(trigger)) return "fields";
  const { kind } = trigger.data;
  return kind === "webhook" || kind === "schedule" ? kind : "event";
}

function isForm(trigger: GraphNode | undefined): boolean {
  return trigger?.data.kind === "form";
}

export function testSchemaOf(definition: Definition): InputSchema {
  const trigger = triggerOf(definition);
  return isForm(trigger) ? formSchema(trigger?.data.fields) : deriveInputSchema(definition);
}

/** Returns a valid example input, made from the fields' defaults and types, or an example of the event. */
export function exampleTexts(definition: Definition, nowMs: number): FormValues {
  const schema = testSchemaOf(definition);
  switch (testKindOf(definition)) {
    case "fields":
      return toFormValues(schema, exampleInput({ examples: [], inputSchema: schema }));
    case "webhook":
      return { body: JSON.stringify(WEBHOOK_SAMPLE, null, 2) };
    case "schedule":
      return { timestamp: new Date(nowMs).toISOString() };
    case "event":
      return { output: JSON.stringify(eventSample(triggerOf(definition), nowMs), null, 2) };
  }
}

/** The shape of a connector's event (decisions, Connectors), or of a failed run. */
function eventSample(trigger: GraphNode | undefined, nowMs: number): JsonObject {
  const at = new Date(nowMs).toISOString();
  if (trigger?.data.kind === "failure") return { run: failedRun(at), timestamp: at };
  const { event = "", connector = "", connection_id = "" } = trigger?.data ?? {};
  return { event, id: "evt_1", occurred_at: at, received_at: at, connector, connection_id, data: {} };
}

export function emptyTexts(definition: Definition): FormValues {
  const kind = testKindOf(definition);
  return kind === "fields" ? {} : { [EVENT_FIELD[kind]]: "" };
}

/** Returns the texts that represent the input of a run. */
export function textsOf(definition: Definition, input: JsonObject): FormValues {
  const kind = testKindOf(definition);
  const output = isJsonObject(input.output) ? input.output : {};
  if (kind === "fields") {
    const body = isJsonObject(output.body) ? output.body : {};
    return toFormValues(testSchemaOf(definition), isForm(triggerOf(definition)) ? body : input);
  }
  if (kind === "schedule") return { timestamp: String(output.timestamp ?? "") };
  const value = kind === "webhook" ? output.body : output;
  return { [EVENT_FIELD[kind]]: value === undefined ? "" : JSON.stringify(value, null, 2) };
}

interface ReadInput {
  input: JsonObject;
  errors: FormErrors;
}

/** Parses the texts. Unreadable texts are errors of their field; the server validates the rest. */
export function readTestInput(definition: Definition, texts: FormValues, nowMs: number): ReadInput {
  const kind = testKindOf(definition);
  if (kind === "fields") {
    const read = readFormValues(testSchemaOf(definition), texts);
    const timestamp = new Date(nowMs).toISOString();
    return isForm(triggerOf(definition)) ? { ...read, input: eventInput({ body: read.input, timestamp }, []) } : read;
  }
  const text = (texts[EVENT_FIELD[kind]] ?? "").trim();
  if (kind === "schedule") return readMoment(triggerOf(definition), text, nowMs);
  const isWebhook = kind === "webhook";
  const numbers = collectPaths(isWebhook ? "trigger.output.body" : "trigger.output");
  const value = text === "" ? null : readJson(text, numbers.note);
  if (value === undefined) return { input: {}, errors: { [EVENT_FIELD[kind]]: "This isn't valid JSON." } };
  const output = isWebhook ? { body: value, timestamp: new Date(nowMs).toISOString() } : (value ?? {});
  return { input: eventInput(output, numbers.paths), errors: {} };
}

/** Returns the output of a schedule when it fires (decisions, Schedules). */
function readMoment(trigger: GraphNode | undefined, text: string, nowMs: number): ReadInput {
  const momentMs = text === "" ? nowMs : readWrittenMoment(text);
  if (momentMs === null) {
    return { input: {}, errors: { timestamp: "Enter a date and time, such as 2026-03-01T09:00:00Z." } };
  }
  const { mode, seconds, expression } = trigger?.data ?? {};
  const output = {
    timestamp: new Date(momentMs).toISOString(),
    scheduleType: mode,
    expression: mode === "interval" ? `every ${String(seconds)}s` : expression,
  };
  return { input: { output }, errors: {} };
}

/** Reads an event as it would arrive: the digits of a long number are kept as a text, and the trigger warns about it. */
function readJson(text: string, onKept: NoteLongNumber): unknown {
  try {
    return parseKeepingDigits(text, onKept);
  } catch {
    return undefined;
  }
}
