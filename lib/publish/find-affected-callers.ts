import type { InputSchema, JsonObject } from "#lib/contract/json-schema";
import type { AffectedCaller, AffectedField, CallerReport } from "#lib/contract/publish";
import type { SchemaChange } from "#lib/contract/workflow";
import type { Db } from "#lib/db/pool";
import { validateInput } from "#lib/input/validate-input";
import { SAMPLE_DAYS, SAMPLED_PER_CALLER, type SampledCaller, sampleCalls } from "#lib/publish/sample-calls";
import { canonicalJson } from "#lib/support/json";

interface SchemaChangeOfAction {
  workspaceId: string;
  workflowId: string;
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
 * Who breaks when an action's input schema changes: the calls of the last days are checked against the new schema, key
 * by key and person by person. Only calls that fit the published schema count; others were made for an older one.
 */
export async function findAffectedCallers(tx: Db, change: SchemaChangeOfAction): Promise<CallerReport> {
  const { workspaceId, workflowId, before, after } = change;
  const sampled = await sampleCalls(tx, workspaceId, workflowId, [before, after]);
  const callers = sampled.map((caller) => judge(caller, change)).filter((caller) => caller.sampled > 0);
  callers.sort((a, b) => b.refused + b.ignored - (a.refused + a.ignored));
  return { days: SAMPLE_DAYS, sampled_per_caller: SAMPLED_PER_CALLER, callers };
}

function judge(caller: SampledCaller & { has_more: boolean }, change: SchemaChangeOfAction): AffectedCaller {
  const { kind, id, name, prefix, calls, has_more, last_call_at } = caller;
  const sent = caller.samples
    .map(({ run_id, input }) => ({ run_id, input: asSent(change.before, input) }))
    .filter(({ input }) => validateInput(change.before, input).filter(isCertain(input)).length === 0);
  const judged: AffectedCaller = {
    ...{ kind, id, name, prefix, calls, has_more, last_call_at: last_call_at.toISOString() },
    ...{ sampled: sent.length, refused: 0, ignored: 0, fields: [] },
  };
  for (const { run_id, input } of sent) {
    const findings = [...refusals(change.after, input), ...ignoredFields(change.changes, input)];
    if (findings.some((finding) => finding.effect === "refused")) judged.refused += 1;
    else if (findings.length > 0) judged.ignored += 1;
    for (const finding of findings) note(judged.fields, finding, run_id);
  }
  return judged;
}

/** Samples come newest first, so the first run that is met is the newest. */
function note(fields: AffectedField[], { field, effect, message }: Finding, runId: string): void {
  const known = fields.find((item) => item.field === field && item.effect === effect);
  if (known) known.calls += 1;
  else fields.push({ field, effect, calls: 1, message, run_id: runId });
}

/**
 * The input without what createRun may have filled in: a field that now has to be sent must not look sent. Whoever sent
 * the default's own value is counted among those who did not.
 */
function asSent(schema: InputSchema, input: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => {
      const filled = Object.hasOwn(schema.properties, name) ? schema.properties[name]?.default : undefined;
      const isFilled = filled !== undefined && !schema.required.includes(name);
      return !(isFilled && canonicalJson(filled) === canonicalJson(value));
    }),
  );
}

/** One finding for each field, its first. */
function refusals(after: InputSchema, input: JsonObject): Finding[] {
  const found = new Map<string, Finding>();
  for (const error of validateInput(after, input).filter(isCertain(input))) {
    const field = rootOf(error.pointer);
    if (!found.has(field)) found.set(field, { field, effect: "refused", message: error.message });
  }
  return [...found.values()];
}

/** A text that was redacted may have been one of the allowed values. */
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
      newField === undefined ? `${field} is sent, and nothing reads it` : `${field} is sent instead of ${newField}`;
    return [{ field, effect: "ignored", message }];
  });
}
