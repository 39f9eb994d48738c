import type { Benchmark } from "#bench/benchmark";
import { INPUT, PURE } from "#bench/load/workflows";
import { compilePlan } from "#lib/core/engine/compile-plan";
import type { Clock, JournalPort, StepServices } from "#lib/core/engine/ports";
import { runPipeline } from "#lib/core/engine/run-pipeline";
import { loadNodeHandlers } from "#lib/core/steps/load-node-handlers";
import { takeTurn } from "#lib/support/take-turn";

const nodeHandlers = await loadNodeHandlers();

const clock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: () => new Promise(() => {}),
};

/** Measures the engine alone, without a database: the three-step run of the other benchmarks, with real node types. */
export const engine: Benchmark = {
  summary: "runs, steps and journal events a second of the engine alone",
  run: async ({ seconds }) => {
    let events = 0;
    const journal: JournalPort = {
      append: () => {
        events += 1;
      },
      flush: async () => {},
      keepUp: () => null,
      flushSoon: () => {},
      shown: (error) => error,
    };
    const plan = compilePlan(
      PURE,
      nodeHandlers(() => null),
    );
    const { signal } = new AbortController();
    const request = {
      runId: "018f2f6e-0000-7000-8000-000000000001",
      plan,
      input: INPUT,
      traceparent: null,
      progress: new Map(),
      remainingMs: 300_000,
      signal,
      stopping: signal,
    };
    // Pure steps have no side effects and use no services.
    const services = {} as StepServices;
    let runs = 0;
    const startedMs = performance.now();
    while (performance.now() - startedMs < seconds * 1_000) {
      await runPipeline(request, { clock, random: Math.random, journal, untilFit: async () => {}, takeTurn, services });
      runs += 1;
    }
    const elapsedSeconds = (performance.now() - startedMs) / 1_000;
    return [
      { figure: "runs/s", measured: runs / elapsedSeconds },
      { figure: "steps/s", measured: (runs * plan.nodes.length) / elapsedSeconds },
      { figure: "journal events/s", measured: events / elapsedSeconds },
    ];
  },
};
