import { setTimeout as sleep } from "node:timers/promises";
import { findVersionDefinition } from "#lib/domain/runs/read/find-version-definition";
import { deriveRunContext } from "#lib/domain/runs/traces/derive-run-context";
import { deriveSpans, type TracedNode } from "#lib/domain/runs/traces/derive-spans";
import type { GatheredSteps } from "#lib/domain/runs/traces/gather-steps";
import { type RunToTrace, readJournals, selectTracedRuns } from "#lib/domain/runs/traces/read-journals";
import { log } from "#lib/platform/config/log";
import { db } from "#lib/platform/db/pool";
import type { LabelsOf } from "#lib/platform/metrics/counter-families";
import { count } from "#lib/platform/metrics/counters";
import { stopTelemetry, type Telemetry, telemetry } from "#lib/platform/telemetry/telemetry";
import { shareInProcess } from "#lib/support/share-in-process";
import { takeTurn } from "#lib/support/take-turn";

/** Runs that are read together. */
const RUNS_AT_ONCE = 50;
/** How long ended runs gather: under load a statement for each run would cost more than its spans. */
const GATHER_MS = 100;
/** A process that ends runs faster than it can read them back drops the traces of the newest. */
const WAITING_MAX = 10_000;
/** How long the end of a process waits for the traces of runs that have ended, and for everything. */
const END_RUNS_MS = 2_000;
const END_MS = 3_000;

interface Backlog {
  /** Ended runs, with those that are being read. */
  waiting: string[];
  writing: Promise<void> | null;
}

/** Runs end in the bundle of Next.js, and the server around it ends the exports. */
const backlog = shareInProcess<Backlog>("traces", () => ({ waiting: [], writing: null }));

/**
 * Exports the traces of runs that have ended, later and in the background. The trace of a run is derived from its journal
 * when the run is over: whatever workers it lost on the way, it has one trace, and each of its spans is exported once.
 * Without telemetry this does nothing.
 */
export function exportTraces(runIds: readonly string[]): void {
  if (!telemetry() || runIds.length === 0) return;
  const { waiting } = backlog;
  const taken = runIds.slice(0, Math.max(0, WAITING_MAX - waiting.length));
  waiting.push(...taken);
  noteDropped("backlog", runIds.length - taken.length);
  backlog.writing ??= writeAll();
}

/**
 * Exports what is left and ends the exports of this process. A collector that does not answer must not delay the end of
 * the process: one export is tried for 10 s.
 */
export async function endTraces(): Promise<void> {
  const started = performance.now();
  await within(END_RUNS_MS, backlog.writing);
  const left = backlog.waiting.splice(0).length;
  noteDropped("stop", left);
  if (left > 0) log.warn({ runs: left }, "telemetry: the process ends before the traces of some runs are exported");
  await within(END_MS - (performance.now() - started), stopTelemetry());
}

async function within(ms: number, work: Promise<void> | null): Promise<void> {
  const done = new AbortController();
  await Promise.race([work, sleep(ms, undefined, { signal: done.signal }).catch(() => {})]);
  done.abort();
}

async function writeAll(): Promise<void> {
  const { waiting } = backlog;
  for (let tracing = telemetry(); tracing && waiting.length > 0; tracing = telemetry()) {
    if (waiting.length < RUNS_AT_ONCE) await sleep(GATHER_MS);
    const runIds = waiting.slice(0, RUNS_AT_ONCE);
    await writeSome(tracing, runIds);
    runIds.forEach(stopWaiting);
  }
  // In the same turn as the last look at the list: a run that ends between the two would wait forever.
  backlog.writing = null;
}

/** A run that is exported does not count as left when the process ends. */
function stopWaiting(runId: string): void {
  const at = backlog.waiting.indexOf(runId);
  if (at !== -1) backlog.waiting.splice(at, 1);
}

async function writeSome(tracing: Telemetry, runIds: readonly string[]): Promise<void> {
  let left = runIds.length;
  try {
    const all = await selectTracedRuns.all(db(), { runIds });
    const runs = all.filter(({ id, traceparent }) => deriveRunContext(tracing, id, traceparent).isSampled);
    left = runs.length;
    for await (const [run, gathered] of readJournals(runs)) {
      if (telemetry() !== tracing) return;
      left -= 1;
      await writeRun(tracing, run, gathered).catch((error: unknown) => reportUnreadable(error, 1));
      stopWaiting(run.id);
    }
  } catch (error) {
    reportUnreadable(error, left);
  }
}

async function writeRun(tracing: Telemetry, run: RunToTrace, gathered: GatheredSteps): Promise<void> {
  for (const span of deriveSpans(run, gathered, await nodesOf(run))) {
    const turn = takeTurn();
    if (turn !== null) await turn;
    tracing.add(span);
    const room = tracing.keepUp();
    if (room !== null) await room;
  }
}

function reportUnreadable(error: unknown, runs: number): void {
  log.warn({ err: error, runs }, "telemetry: the traces of some runs could not be read");
  noteDropped("error", runs);
}

function noteDropped(reason: LabelsOf<"signalbox_traces_dropped_total">["reason"], runs: number): void {
  if (runs > 0) count("signalbox_traces_dropped_total", { reason }, runs);
}

async function nodesOf({ versionId, ownNodes }: RunToTrace): Promise<Map<string, TracedNode>> {
  const nodes = ownNodes ?? (versionId === null ? null : await findVersionDefinition(versionId))?.nodes ?? [];
  return new Map(nodes.map(({ id, type, parentId }) => [id, { kind: type, parentId: parentId ?? null }]));
}
