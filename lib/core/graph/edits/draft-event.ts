import { ApiError } from "#lib/contract/error/api-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { eventInput, NUMBERS_AS_TEXT } from "#lib/core/input/numbers-as-text";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { EVENT_FIELD_NAMES } from "#lib/core/steps/trigger/trigger-kind";
import { isJsonObject } from "#lib/support/json";

/** The field without which an event of a kind says nothing. A schedule's is made up. */
const CONTENT: Readonly<Record<string, string>> = { webhook: "body", form: "body", connector: "data" };

/**
 * Returns the input of a test run: for a trigger, `{output}` with its event. Agents send the event itself, `{body}`, as often
 * as the output that expressions read; both mean the same. What is missing and can be made up is added.
 * @throws ApiError BAD_REQUEST if the event has no field that the workflow can read: its steps would run without values
 */
export function draftEvent(definition: Definition, input: JsonObject, now: Date): JsonObject {
  const trigger = definition.nodes.find(({ type }) => STEP_KINDS[type].starts === "event_driven");
  if (trigger === undefined) return input;
  const kind = String(trigger.data.kind);
  const names = EVENT_FIELD_NAMES[kind] ?? [];
  // The input of an earlier run has the places of its long numbers next to its event.
  const { [NUMBERS_AS_TEXT]: paths, ...given } = input;
  const event = unwrap(
    given,
    ["output", "trigger", trigger.id].filter((name) => !names.includes(name)),
  );
  const unknown = Object.keys(event).find((name) => !names.includes(name));
  const content = CONTENT[kind];
  const isMissing = content !== undefined && !Object.hasOwn(event, content) && reads(definition, trigger);
  if (unknown !== undefined || isMissing) throw noEvent(kind, unknown ?? null);
  return eventInput({ ...madeUp(trigger, now), ...event }, Array.isArray(paths) ? paths : []);
}

/** `{output: {…}}`, `{trigger: {output: {…}}}` and the event alone. */
function unwrap(input: JsonObject, names: string[]): JsonObject {
  const [[name = "", value] = [], ...others] = Object.entries(input);
  return others.length === 0 && names.includes(name) && isJsonObject(value) ? unwrap(value, names) : input;
}

/** Returns the fields of an event that do not depend on what happened. */
function madeUp({ data }: GraphNode, now: Date): JsonObject {
  const at = now.toISOString();
  switch (data.kind) {
    case "webhook":
    case "form":
      return { body: null, timestamp: at };
    case "schedule": {
      const { mode, seconds, expression } = data;
      return {
        timestamp: at,
        scheduleType: mode,
        expression: mode === "interval" ? `every ${String(seconds)}s` : expression,
      };
    }
    case "failure":
      return { run: failedRun(at), timestamp: at };
    default: {
      const { event = "", connector = "", connection_id = "" } = data;
      return { event, id: "test", occurred_at: at, received_at: at, connector, connection_id };
    }
  }
}

/** A run that failed, for tests: no one has to make one fail first. */
export function failedRun(at: string): JsonObject {
  const id = "00000000-0000-7000-8000-000000000000";
  return {
    id,
    workflow_id: id,
    workflow_name: "Example workflow",
    action_slug: null,
    source: "schedule",
    error: {
      code: "UPSTREAM_ERROR",
      message: "The service answered 503.",
      step_id: "fetch",
      step_name: "Fetch orders",
    },
    started_at: at,
    completed_at: at,
    url: `https://signalbox.example.com/runs/${id}`,
  };
}

/** Reports whether anything in the workflow may read the event. A mention is enough: a program can read it, too. */
function reads({ nodes }: Definition, trigger: GraphNode): boolean {
  const text = JSON.stringify(nodes.filter(({ id }) => id !== trigger.id).map(({ data }) => data));
  return text.includes("trigger") || text.includes(trigger.id) || text.includes("$$");
}

function noEvent(kind: string, unknown: string | null): ApiError {
  const names = EVENT_FIELD_NAMES[kind] ?? [];
  const found = unknown === null ? "it is missing" : `${unknown.slice(0, 64)} is not one of its fields`;
  const example = CONTENT[kind] === undefined ? '{"timestamp": "…"}' : `{"${CONTENT[kind]}": {…}}`;
  return new ApiError(
    "BAD_REQUEST",
    `input: must be the event of the trigger (${names.join(", ")}), such as ${example}; ${found}.`,
  );
}
