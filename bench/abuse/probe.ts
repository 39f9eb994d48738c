import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { Agent } from "undici";
import { INPUT } from "#bench/load/workflows";

/** What the victim of an attack noticed. Times are in ms. */
export interface ProbeResult {
  /**
   * The time from each pure run's acceptance to its start, by the database's clock. For a run that has not started, its
   * age.
   */
  startMs: number[];
  /** The time from each start of a run with a code step to its end, by the same rules. */
  codeMs: number[];
  healthMs: number[];
  /** The time from sending each call to its 202. */
  acceptMs: number[];
  /** Calls that got a 5xx or no answer. */
  faults: string[];
  /** The accepted runs, and how many of them ended with another outcome than they should, or did not end. */
  accepted: number;
  unfinished: number;
}

export interface ProbeTarget {
  url: string;
  db: pg.Pool;
  /** The headers of the next call. */
  nextHeaders(): Record<string, string>;
  /** The time that a run may take after the last call before it counts as unfinished. */
  patienceMs: number;
}

/** The slugs of the victim's published actions: one with pure steps only, one with an additional code step. */
export const PURE_SLUG = "pure";
export const CODE_SLUG = "with-code";

const HEALTH_EVERY_MS = 50;
const PURE_EVERY_MS = 250;
const CODE_EVERY_MS = 500;
/** The most calls and runs in flight. With more, the victim would attack itself. */
const HEALTH_MAX = 60;
const RUNS_MAX = 20;
const TIMEOUT_MS = 30_000;

/**
 * Calls the product at fixed times, even if earlier calls have no answer yet: a server that pauses for a second has 20
 * late answers, not one.
 */
export async function probe(target: ProbeTarget, seconds: number): Promise<ProbeResult> {
  const agent = new Agent({
    connections: HEALTH_MAX + 2 * RUNS_MAX,
    headersTimeout: TIMEOUT_MS,
    connectTimeout: TIMEOUT_MS,
  });
  const [healthMs, acceptMs, faults]: [number[], number[], string[]] = [[], [], []];
  const runs: Record<string, string[]> = { [PURE_SLUG]: [], [CODE_SLUG]: [] };
  const ask = async (path: string, more: object = {}): Promise<{ status: number; ms: number; text: string }> => {
    const sentMs = performance.now();
    try {
      const options = {
        origin: target.url,
        path,
        method: "GET" as const,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...more,
      };
      const { statusCode, body } = await agent.request(options);
      const text = await body.text();
      if (statusCode >= 500) faults.push(`${path}: ${statusCode}`);
      return { status: statusCode, ms: performance.now() - sentMs, text };
    } catch (error) {
      faults.push(`${path}: ${(error as Error).name}`);
      return { status: 0, ms: performance.now() - sentMs, text: "" };
    }
  };
  const call = async (slug: string) => {
    const body = JSON.stringify({ input: INPUT });
    const path = `/api/v1/runtime/actions/${slug}/run`;
    const { status, ms, text } = await ask(path, { method: "POST", headers: target.nextHeaders(), body });
    acceptMs.push(ms);
    if (status === 202) runs[slug]?.push((JSON.parse(text) as { run_id: string }).run_id);
    else if (status > 0 && status < 500) faults.push(`${path}: ${status} ${text.slice(0, 120)}`);
  };
  const endMs = performance.now() + seconds * 1_000;
  await Promise.all([
    atFixedTimes(endMs, HEALTH_EVERY_MS, HEALTH_MAX, async () => void healthMs.push((await ask("/healthz")).ms)),
    atFixedTimes(endMs, PURE_EVERY_MS, RUNS_MAX, () => call(PURE_SLUG)),
    atFixedTimes(endMs, CODE_EVERY_MS, RUNS_MAX, () => call(CODE_SLUG)),
  ]);
  await agent.destroy();
  return { ...(await readRuns(target, runs)), healthMs, acceptMs, faults };
}

/** Resolves when the last call is answered. */
async function atFixedTimes(endMs: number, everyMs: number, max: number, work: () => Promise<void>): Promise<void> {
  const open = new Set<Promise<void>>();
  for (let dueMs = performance.now(); dueMs < endMs; dueMs += everyMs) {
    await sleep(Math.max(0, dueMs - performance.now()));
    if (open.size >= max) continue;
    const one: Promise<void> = work().finally(() => open.delete(one));
    open.add(one);
  }
  await Promise.all(open);
}

/** Waits at most `patienceMs` until the runs end, and reads their times. */
async function readRuns({ db, patienceMs }: ProbeTarget, runs: Record<string, string[]>) {
  const read = async (ids: string[] = []) => {
    const { rows } = await db.query<{ start: number; whole: number; status: string; isOver: boolean }>(
      `select extract(epoch from coalesce(started_at, clock_timestamp()) - created_at)::float8 * 1000 as start,
         extract(epoch from coalesce(completed_at, clock_timestamp()) - coalesce(started_at, created_at))::float8 * 1000
           as whole,
         status, completed_at is not null as "isOver"
       from runs where id = any($1::uuid[])`,
      [ids],
    );
    return rows;
  };
  for (const endMs = performance.now() + patienceMs; ; await sleep(100)) {
    const [pure, code] = [await read(runs[PURE_SLUG]), await read(runs[CODE_SLUG])];
    const all = [...pure, ...code];
    if (performance.now() < endMs && all.some(({ isOver }) => !isOver)) continue;
    return {
      startMs: pure.map((row) => row.start),
      codeMs: code.map((row) => row.whole),
      accepted: all.length,
      unfinished: all.filter(({ status }) => status !== "succeeded").length,
    };
  }
}
