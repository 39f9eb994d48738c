import type { StepErrorPayload } from "#lib/contract/run/step-error";
import type { EngineEvent } from "#lib/core/engine/ports";
import { type Mask, maskError, maskWarning } from "#lib/core/redaction/mask-texts";
import { type CleanPayloads, type CleanValues, sanitize } from "#lib/core/redaction/sanitize";
import type { JournalBatch } from "#lib/domain/journal/append-events";
import { outputContext } from "#lib/domain/journal/checkpoints/load-outputs";
import { seal } from "#lib/platform/secrets/seal";
import { keepsKeyOrder, leastJsonBytes, storableJson } from "#lib/support/json";
import {
  isAltered,
  type JsonParts,
  jsonParts,
  LARGE_BYTES,
  type LargeValues,
  newLargeValues,
} from "#lib/support/json-text/json-parts";
import { takeTurn } from "#lib/support/take-turn";

interface JournaledRun {
  runId: string;
  workspaceId: string;
  /** Hides the secrets that people typed into the definition. */
  mask: Mask;
  /** What its large payloads became before. */
  cleaned?: CleanPayloads;
}

/**
 * Prepares events for storage: masks the secrets of the definition, sanitizes payloads (contract, Redaction), and seals the originals of changed outputs for
 * the steps that follow a crash (decisions, Redaction). A step that started and ended within the batch becomes one row,
 * its completion with its input, which halves the writes; no one could have seen that step as started. Other runs get
 * turns in between, because a payload of 1 MiB takes up to 40 ms.
 * @param now on the same clock as the events' times
 */
export async function prepareBatch(
  run: JournaledRun,
  events: readonly EngineEvent[],
  now: Date,
): Promise<JournalBatch> {
  const rows: string[] = [];
  const checkpoints: string[] = [];
  const values = newLargeValues();
  for (const event of joinPairs(events)) {
    const turn = takeTurn();
    if (turn !== null) await turn;
    const isLarge = leastJsonBytes([event.inputData, event.outputData], LARGE_BYTES) >= LARGE_BYTES;
    const known = isLarge ? run.cleaned : undefined;
    const shown = maskEvent(run, event, known?.masked);
    const masked = takeTurn();
    if (masked !== null) await masked;
    const row = rowOf(shown, now, known?.sanitized);
    const next = takeTurn();
    if (next !== null) await next;
    const { text, ...stored } = isLarge ? largeRowText(row, values) : rowText(row);
    const isSealed = event.kind === "step_completed" && (stored.isAltered || row.output_data !== event.outputData);
    // A replay must know which outputs are not stored completely.
    if (isSealed) rows.push(`${text.slice(0, -1)},"output_sealed":true}`);
    else if (keepsKeyOrder(row.output_data, values.objects)) rows.push(text);
    // The run reads its own outputs after a pause, and must read them as they were.
    else rows.push(`${text.slice(0, -1)},"output_is_written":true}`);
    if (isSealed) checkpoints.push(JSON.stringify(checkpointOf(run, event)));
  }
  const large = values.all.map(({ text }) => text);
  return {
    events: `[${rows.join(",")}]`,
    checkpoints: `[${checkpoints.join(",")}]`,
    large: large.length === 0 ? null : `[${large.join(",")}]`,
  };
}

type Row = ReturnType<typeof rowOf>;

interface RowText {
  text: string;
  /** True if jsonb cannot store a character of the row, possibly of its output, and it was replaced. */
  isAltered: boolean;
}

function rowText(row: Row): RowText {
  const text = storableJson(row);
  return { text, isAltered: isAltered(text) };
}

/** Names the large values of a row by their places in the batch, so that each is stored once. */
function largeRowText({ input_data, output_data, ...row }: Row, values: LargeValues): RowText {
  const [input, output] = [jsonParts(input_data, values), jsonParts(output_data, values)];
  const payloads = [
    input_data === undefined ? "" : `,${payloadText("input", input, values)}`,
    output_data === undefined ? "" : `,${payloadText("output", output, values)}`,
  ];
  const text = `${storableJson(row).slice(0, -1)}${payloads.join("")}}`;
  return {
    text,
    isAltered: isAltered(text) || [...input, ...output].some((part) => typeof part !== "string" && part.isAltered),
  };
}

function payloadText(name: "input" | "output", parts: JsonParts, values: LargeValues): string {
  if (isWhole(parts)) return `"${name}_data":${parts.join("")}`;
  // PostgreSQL counts from 1.
  const places = parts.map((part) => (typeof part === "string" ? part : values.all.indexOf(part) + 1));
  return `"${name}_parts":${JSON.stringify(places)}`;
}

/** Returns whether a payload has no large value. */
function isWhole(parts: JsonParts): boolean {
  return parts.every((part) => typeof part === "string");
}

function joinPairs(events: readonly EngineEvent[]): EngineEvent[] {
  const kept: EngineEvent[] = [];
  const started = new Map<string, number>();
  for (const event of events) {
    const key = `${event.nodeId}|${event.iteration}|${event.attempt}`;
    const at = event.kind === "step_completed" ? started.get(key) : undefined;
    const start = at === undefined ? undefined : kept[at];
    if (at !== undefined && start) kept[at] = { ...event, inputData: start.inputData };
    else kept.push(event);
    const tellsMore = event.answeredAttempts !== undefined || event.error !== undefined;
    const isJoinable = event.kind === "step_started" && event.inputData != null && !tellsMore;
    if (isJoinable) started.set(key, kept.length - 1);
  }
  return kept;
}

function maskEvent({ mask }: JournaledRun, event: EngineEvent, known: CleanValues | undefined): EngineEvent {
  const { inputData, outputData, error, warnings, console } = event;
  return {
    ...event,
    inputData: mask(inputData, known),
    outputData: mask(outputData, known),
    ...(error ? { error: maskError(mask, error) } : {}),
    ...(warnings ? { warnings: warnings.map((warning) => maskWarning(mask, warning)) } : {}),
    ...(console ? { console: mask(console) } : {}),
  };
}

/** Returns an error as it is stored. */
export function shownError(mask: Mask, error: StepErrorPayload): StepErrorPayload {
  return JSON.parse(storableJson(sanitize(maskError(mask, error)))) as StepErrorPayload;
}

function rowOf(event: EngineEvent, now: Date, known: CleanValues | undefined) {
  return {
    node_id: event.nodeId,
    // Defaults are left out: events may be stored as they are sent.
    iteration: event.iteration === "" ? undefined : event.iteration,
    kind: event.kind === "step_completed" ? undefined : event.kind,
    attempt: event.attempt === 1 ? undefined : event.attempt,
    answered_attempts: event.answeredAttempts,
    age_ms: Math.max(0, now.getTime() - event.at.getTime()) || undefined,
    duration_ms: event.durationMs,
    input_data: sanitize(event.inputData, known),
    output_data: sanitize(event.outputData, known),
    error: sanitize(event.error),
    warnings: sanitize(event.warnings),
    skip_reason: event.skipReason,
    console: sanitize(event.console),
  };
}

function checkpointOf({ runId, workspaceId }: JournaledRun, { nodeId, iteration, outputData }: EngineEvent) {
  const sealed = seal(workspaceId, outputContext(runId, nodeId, iteration), outputData);
  return { node_id: nodeId, iteration, sealed: sealed.toString("base64") };
}
