import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { ReplayPreviewObject } from "#lib/contract/wire/web";
import { describeLongNumber, readTypedJson } from "#lib/core/input/read-typed-json";

/** A field of the input that does not fit the published version. */
export interface MisfitField {
  field: string;
  /** What is wrong, one sentence for each problem. */
  messages: string[];
  type: string | null;
  /** The value as it is shown with the run; undefined if it is missing. */
  was: unknown;
}

/** Groups the problems of an input by the field that a correction replaces. */
export function listMisfits(problems: ReplayPreviewObject["input_problems"], input: JsonObject): MisfitField[] {
  return [...Map.groupBy(problems, ({ field }) => field)].map(([field, found]) => ({
    field,
    messages: found.map(({ message }) => message),
    type: found[0]?.type ?? null,
    was: Object.hasOwn(input, field) ? input[field] : undefined,
  }));
}

/** Returns the input with the corrections that were typed. A field that stays empty is left as it was. */
export function correctInput(
  input: JsonObject,
  misfits: readonly MisfitField[],
  typed: Readonly<Record<string, string>>,
): JsonObject {
  const entries = new Map(Object.entries(input));
  for (const { field, type } of misfits) {
    const text = typed[field] ?? "";
    if (text !== "") entries.set(field, readValue(text, type));
  }
  return Object.fromEntries(entries);
}

/** A text field takes the text as it is; other types are JSON. What is not JSON is sent as text, and the server says so. */
function readValue(text: string, type: string | null): unknown {
  if (type === "string") return text;
  const { value, problem } = readTypedJson(text);
  return problem === null ? value : text;
}

/** Returns what is wrong with the corrections, by field: numbers that would be changed. The server finds the rest. */
export function listTypedProblems(
  misfits: readonly MisfitField[],
  typed: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const problems = misfits.flatMap(({ field, type }) => {
    const problem = type === "string" ? null : describeLongNumber(typed[field] ?? "");
    return problem === null ? [] : [[field, problem] as const];
  });
  return Object.fromEntries(problems);
}
