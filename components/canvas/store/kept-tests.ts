import { isJsonObject } from "#lib/support/json";
import type { TestState } from "@/components/canvas/store/test-store";

/** The part of the test state that stays in this browser. */
export type Kept = Pick<TestState, "texts" | "textsFromRunId" | "pins" | "samples">;

const NOTHING_KEPT: Kept = { texts: null, textsFromRunId: null, pins: {}, samples: {} };
const keyOf = (workflowId: string) => `signalbox.test.${workflowId}`;

/** Returns what this browser kept of a workflow's tests; nothing if it is unreadable. */
export function readKept(workflowId: string): Kept {
  try {
    const text = localStorage.getItem(keyOf(workflowId));
    return text === null ? NOTHING_KEPT : (checkKept(JSON.parse(text)) ?? NOTHING_KEPT);
  } catch {
    return NOTHING_KEPT;
  }
}

/** Checked by hand: a schema would load zod before the drawing. */
function checkKept(value: unknown): Kept | null {
  if (!isJsonObject(value)) return null;
  const { texts, textsFromRunId, pins, samples } = value;
  const isWhole =
    (texts === null || isRecordOf(texts, isText)) && isTextOrNull(textsFromRunId) && isRecordOf(pins, isPin);
  if (!isWhole) return null;
  // Drops events that an earlier version stored without their time.
  const kept = { texts, textsFromRunId, pins, samples: isRecordOf(samples, isSample) ? samples : {} };
  return kept as Kept;
}

function isRecordOf(value: unknown, isRight: (item: unknown) => boolean): boolean {
  return isJsonObject(value) && Object.values(value).every(isRight);
}

const isText = (value: unknown) => typeof value === "string";
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isPin = (pin: unknown) => isJsonObject(pin) && isTextOrNull(pin.fromRunId);
const isSample = (sample: unknown) => isJsonObject(sample) && isText(sample.receivedAt);

/** Storage may be full or blocked; then the state exists only in the open page. */
export function writeKept(workflowId: string, { texts, textsFromRunId, pins, samples }: Kept): void {
  try {
    localStorage.setItem(keyOf(workflowId), JSON.stringify({ texts, textsFromRunId, pins, samples }));
  } catch {
    // The open page still has everything.
  }
}
