import type { AffectedCaller, AffectedField, CallerReport } from "#lib/contract/action/publish";
import type { FieldError } from "#lib/contract/error/api-error";
import type { InputSchema, JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { SchemaChange } from "#lib/contract/workflow/workflow";
import { templateReferences } from "#lib/core/expressions/template-references";
import { currentSchema } from "#lib/core/input/input-aliases";
import { validateInput } from "#lib/core/input/validate-input";
import { nodeLabel } from "#lib/core/steps/node-data";
import { findCallingWorkflows } from "#lib/domain/publish/find-calling-workflows";
import { SAMPLE_DAYS, SAMPLED_PER_CALLER, type SampledCaller, sampleCalls } from "#lib/domain/publish/sample-calls";
import type { Db } from "#lib/platform/db/pool";
import { canonicalJson, isJsonObject } from "#lib/support/json";

interface SchemaChangeOfAction {
  workspaceId: string;
  workflowId: string;
  slug: string;
  before: InputSchema;
  after: InputSchema;
  changes: readonly SchemaChange[];
}

interface Finding {
  field: string;
  effect: AffectedField["effect"];
  message: string;
}

/**
 * Finds the callers that a change of an action's input schema breaks. Calls of the last days are checked against the
 * new schema, key by key and person by person, and so are the steps of other workflows that run the action. Only calls
 * that fit the published schema count; others were made for an older one.
 */
export async function findAffectedCallers(tx: Db, change: SchemaChangeOfAction): Promise<CallerReport> {
  const { workspaceId, workflowId, before, after } = change;
  const sampled = await sampleCalls(tx, workspaceId, workflowId, [before, after]);
  const calling = await findCallingWorkflows(tx, change, [before, after]);
  const callers = [
    ...sampled.map((caller) => judge(caller, change)).filter((caller) => caller.sampled > 0),
    ...calling.map(({ steps, ...workflow }) => {
      const judged = judge({ kind: "workflow", prefix: null, ...workflow }, change);
      for (const step of steps) noteStep(judged.fields, step, change);
      return judged;
    }),
  ];
  callers.sort((a, b) => weightOf(b) - weightOf(a));
  return { days: SAMPLE_DAYS, sampled_per_caller: SAMPLED_PER_CALLER, callers };
}

/** Callers that break come first, including steps that have not called yet. */
function weightOf({ refused, ignored, fields }: AffectedCaller): number {
  return refused + ignored + Math.min(1, fields.length);
}

/**
 * Derives what a published step would send, as far as its definition shows: which fields are sent, and values that are
 * not templates.
 */
function noteStep(fields: AffectedField[], step: GraphNode, { before, after, changes }: SchemaChangeOfAction): void {
  const input = isJsonObject(step.data.input) ? step.data.input : {};
  const isWritten = ({ pointer }: { pointer: string }) => templateReferences(input[rootOf(pointer)]).length === 0;
  if (validateInput(before, input).some(isWritten)) return;
  for (const { field, effect, message } of [...refusals(after, input, isWritten), ...ignoredFields(changes, input)]) {
    const at = { id: step.id, name: nodeLabel(step) };
    const known = fields.find((item) => item.field === field && item.effect === effect);
    if (known === undefined) fields.push({ field, effect, calls: 0, message, run_id: null, step: at });
    else known.step ??= at;
  }
}

function judge(caller: SampledCaller, change: SchemaChangeOfAction): AffectedCaller {
  const { kind, id, name, prefix, calls, has_more, last_call_at } = caller;
  const sent = caller.samples
    .map(({ run_id, input }) => ({ run_id, input: asSent(change.before, input) }))
    .filter(({ input }) => validateInput(change.before, input).filter(isCertain(input)).length === 0);
  const judged: AffectedCaller = {
    kind,
    id,
    name,
    prefix,
    calls,
    has_more,
    last_call_at: last_call_at?.toISOString() ?? null,
    sampled: sent.length,
    refused: 0,
    ignored: 0,
    fields: [],
  };
  for (const { run_id, input } of sent) {
    const findings = [...refusals(change.after, input, isCertain(input)), ...ignoredFields(change.changes, input)];
    if (findings.some((finding) => finding.effect === "refused")) judged.refused += 1;
    else if (findings.length > 0) judged.ignored += 1;
    for (const finding of findings) note(judged.fields, finding, run_id);
  }
  return judged;
}

/** Samples come newest first, so the first run found is the newest. */
function note(fields: AffectedField[], { field, effect, message }: Finding, runId: string): void {
  const known = fields.find((item) => item.field === field && item.effect === effect);
  if (known) known.calls += 1;
  else fields.push({ field, effect, calls: 1, message, run_id: runId });
}

/**
 * Returns the input without what createRun may have filled in: a field that is now required must not seem to have been
 * sent. A caller who sent exactly the default value counts as not having sent it.
 */
function asSent(schema: InputSchema, input: JsonObject): JsonObject {
  const { required } = currentSchema(schema);
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => {
      const filled = Object.hasOwn(schema.properties, name) ? schema.properties[name]?.default : undefined;
      const isFilled = filled !== undefined && !required.includes(name);
      return !(isFilled && canonicalJson(filled) === canonicalJson(value));
    }),
  );
}

/** Returns the first finding of each field. */
function refusals(after: InputSchema, input: JsonObject, isKnown: (error: FieldError) => boolean): Finding[] {
  const found = new Map<string, Finding>();
  for (const error of validateInput(after, input).filter(isKnown)) {
    const field = rootOf(error.pointer);
    if (!found.has(field)) found.set(field, { field, effect: "refused", message: error.message });
  }
  return [...found.values()];
}

/** A redacted text may have been one of the allowed values. */
function isCertain(input: JsonObject): (error: { code: string; pointer: string }) => boolean {
  return ({ code, pointer }) => {
    const value = input[rootOf(pointer)];
    return !(code === "enum" && typeof value === "string" && value.includes("[REDACTED"));
  };
}

function rootOf(pointer: string): string {
  const [, root = ""] = pointer.split("/");
  return root.replaceAll("~1", "/").replaceAll("~0", "~");
}

function ignoredFields(changes: readonly SchemaChange[], input: JsonObject): Finding[] {
  return changes.flatMap(({ kind, field, new_field: newField }) => {
    if ((kind !== "removed" && kind !== "renamed") || !Object.hasOwn(input, field)) return [];
    const message =
      newField === undefined ? `${field} is sent, but no step reads it` : `${field} is sent instead of ${newField}`;
    return [{ field, effect: "ignored", message }];
  });
}
