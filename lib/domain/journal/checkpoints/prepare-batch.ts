import type { EngineEvent } from "#lib/core/engine/ports";
import { stepKey } from "#lib/core/engine/step-key";
import { sanitize } from "#lib/core/redaction/sanitize";
import type { JournalBatch } from "#lib/domain/journal/append-events";
import { outputContext } from "#lib/domain/journal/checkpoints/sealed-contexts";
import { seal } from "#lib/platform/secrets/seal";
import { storableJson } from "#lib/support/storable-json";

interface RunIds {
  runId: string;
  workspaceId: string;
}

/**
 * Prepares events for storage: sanitizes payloads (contract, Redaction), and seals the originals of changed outputs for
 * the steps that follow a crash (decisions, Redaction). A step that started and ended within the batch becomes one row,
 * its completion with its input, which halves the writes; no one could have seen that step as started.
 * @param now on the same clock as the events' times
 */
export function prepareBatch(run: RunIds, events: readonly EngineEvent[], now: Date): JournalBatch {
  const kept = joinPairs(events);
  const rows = kept.map((event) => rowOf(event, now));
  const text = storableJson(rows);
  // Something in the batch was replaced because jsonb cannot store it: rare enough to seal every output of the batch.
  const isAltered = text.includes("\\ufffd");
  const checkpoints = kept.flatMap((event, index) => {
    const isSealed = event.kind === "step_completed" && (isAltered || rows[index]?.output_data !== event.outputData);
    return isSealed ? [checkpointOf(run, event)] : [];
  });
  if (checkpoints.length === 0) return { events: text, checkpoints: "[]" };
  return { events: storableJson(markSealed(rows, checkpoints)), checkpoints: JSON.stringify(checkpoints) };
}

/** A replay must know which outputs are not stored completely. */
function markSealed(rows: ReturnType<typeof rowOf>[], checkpoints: { node_id: string; iteration: string }[]) {
  const sealed = new Set(checkpoints.map((checkpoint) => stepKey(checkpoint.node_id, checkpoint.iteration)));
  return rows.map((row) =>
    row.kind === "step_completed" && sealed.has(stepKey(row.node_id, row.iteration))
      ? { ...row, output_sealed: true }
      : row,
  );
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

function rowOf(event: EngineEvent, now: Date) {
  return {
    node_id: event.nodeId,
    iteration: event.iteration,
    kind: event.kind,
    attempt: event.attempt,
    answered_attempts: event.answeredAttempts,
    age_ms: Math.max(0, now.getTime() - event.at.getTime()),
    duration_ms: event.durationMs,
    input_data: sanitize(event.inputData),
    output_data: sanitize(event.outputData),
    error: sanitize(event.error),
  };
}

function checkpointOf({ runId, workspaceId }: RunIds, { nodeId, iteration, outputData }: EngineEvent) {
  const sealed = seal(workspaceId, outputContext(runId, nodeId, iteration), outputData);
  return { node_id: nodeId, iteration, sealed: sealed.toString("base64") };
}
