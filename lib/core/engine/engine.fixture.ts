import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, GraphNode, NodeType } from "#lib/contract/workflow/graph";
import { compilePlan } from "#lib/core/engine/compile-plan";
import type { NodeHandler, NodeHandlers, PreparedLoop, PreparedNode, StepContext } from "#lib/core/engine/plan";
import type { Clock, EngineEvent, JournalPort, RunPorts, StepServices } from "#lib/core/engine/ports";
import { type RecordedEvent, resume } from "#lib/core/engine/resume";
import type { ParkedRetry } from "#lib/core/engine/retry";
import { type RunOutcome, runPipeline } from "#lib/core/engine/run-pipeline";
import type { PipelineRequest } from "#lib/core/engine/run-state";
import { findCase } from "#lib/core/expressions/find-case";
import { pathEdges } from "#lib/core/graph/graph.fixture";
import { bypassedStep } from "#lib/core/steps/bypassed-step";
import { withoutBypassedBodies } from "#lib/core/steps/is-disabled";
import { loadNodeHandlers, traitsOf } from "#lib/core/steps/load-node-handlers";
import { STEP_TYPES } from "#lib/core/steps/step-kinds";

export const RUN_ID = "018f2f6e-0000-7000-8000-000000000001";

/** A node's behavior in a test. By default, a node returns its id. A condition's behavior returns its result. */
export type Behavior = (context: StepContext) => unknown;

export interface TestGraph {
  /** "source>target" or "source.handle>target". The nodes are derived from the paths. */
  paths: string[];
  /**
   * Types by node id. By default, a node is a transform, `in` is the entry, and ids that start with `out` are results.
   */
  types?: Record<string, NodeType>;
  data?: Record<string, JsonObject>;
  /** The loop id of each node inside a loop. Nodes without an edge are only listed here. */
  inside?: Record<string, string>;
  behaviors?: Record<string, Behavior>;
  idempotent?: string[];
  /** Nodes whose time limit starts when they call `startTimeLimit`. */
  waitsForTurn?: string[];
  /** If true, steps get no input instead of the outputs of all earlier steps. */
  isBlind?: boolean;
}

/**
 * A clock for tests. It does not advance while anything can happen, and then jumps to the next timer. So tests never
 * wait, and a handler that never answers reaches its time limit at once.
 */
export function virtualClock(): Clock & { at(): number } {
  const timers = new Set<{ at: number; resolve: () => void }>();
  let now = 0;
  const pump = () => {
    const next = [...timers].sort((a, b) => a.at - b.at)[0];
    if (!next) return;
    timers.delete(next);
    now = Math.max(now, next.at);
    next.resolve();
    soon();
  };
  // Runs after the work that the run defers to the next turn of the event loop, and after the last call of sleep.
  let turn = 0;
  const soon = () => {
    turn += 1;
    const own = turn;
    setImmediate(() => setImmediate(() => own === turn && pump()));
  };
  return {
    at: () => now,
    now: () => new Date(now),
    monotonicMs: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const timer = { at: now + ms, resolve };
        timers.add(timer);
        signal.addEventListener("abort", () => timers.delete(timer) && reject(signal.reason), { once: true });
        soon();
      }),
  };
}

/** An in-memory journal for tests. Each time durability is requested, it records how many events were durable. */
export function memoryJournal(): JournalPort & { events: EngineEvent[]; flushed: number[]; names(): string[] } {
  const events: EngineEvent[] = [];
  const flushed: number[] = [];
  return {
    events,
    flushed,
    /** Returns "node:kind" for every event, without the common prefix. */
    names: () => events.map((event) => `${event.nodeId}:${event.kind.replace("step_", "")}`),
    append: (event) => {
      events.push(event);
    },
    flush: async () => {
      flushed.push(events.length);
    },
    keepUp: () => null,
    flushSoon: () => {},
    shown: (error) => error,
  };
}

export function testDefinition({ paths, types = {}, data = {}, inside = {} }: TestGraph): Definition {
  const onPaths = paths.flatMap((path) => path.split(">").map((part) => part.split(".")[0] ?? ""));
  const ids = new Set([...onPaths, ...Object.keys(inside)]);
  const typeOf = (id: string): NodeType =>
    types[id] ?? (id === "in" ? "action_input" : id.startsWith("out") ? "return_output" : "transform");
  const nodes = [...ids].map(
    (id): GraphNode => ({
      id,
      type: typeOf(id),
      position: { x: 0, y: 0 },
      data: data[id] ?? {},
      ...(inside[id] === undefined ? {} : { parentId: inside[id] }),
    }),
  );
  return { nodes, edges: pathEdges(...paths) };
}

/**
 * Prepares a loop with items from the node's data. An iteration's result is its scope, or null if the loop is silent.
 */
function testLoop(node: GraphNode): PreparedLoop {
  const data = node.data as { items: unknown[]; concurrency?: number; isSilent?: boolean; failsAtResult?: boolean };
  const { items, concurrency = 1, isSilent = false, failsAtResult = false } = data;
  const resolveResult: PreparedLoop["resolveResult"] = (scope) => {
    if (failsAtResult) throw new StepError("VALIDATION_ERROR", "the result does not fit");
    return isSilent ? null : { ...scope };
  };
  return { concurrency, resolveInput: () => ({ items }), resolveResult };
}

const nodeHandlers = await loadNodeHandlers();

/**
 * Returns the handlers. Waiting nodes are real. Nodes of type `connector` have side effects, and all others are pure.
 */
function testHandlers({
  behaviors = {},
  idempotent = [],
  waitsForTurn = [],
  isBlind = false,
}: TestGraph): NodeHandlers {
  const prepareStep =
    (type: NodeType) =>
    (node: GraphNode): PreparedNode => ({
      hasTimeLimit: waitsForTurn.includes(node.id),
      waitsForTurn: waitsForTurn.includes(node.id),
      resolveInput: (scope) => (isBlind ? {} : { ...scope }),
      execute: async (_input, context) => {
        const result = await (behaviors[node.id]?.(context) ?? { [node.id]: node.id });
        return type === "condition" ? { result } : result;
      },
      isIdempotent: () => idempotent.includes(node.id),
    });
  const { delay, approval, wait_for_callback, sub_workflow } = nodeHandlers(() => null);
  const entries = STEP_TYPES.map((type): [NodeType, NodeHandler] => {
    const prepare = type === "loop" ? testLoop : prepareStep(type);
    const traits = traitsOf(type);
    return [type, (node) => bypassedStep(node) ?? { ...prepare(node), ...traits(node) }];
  });
  return { ...(Object.fromEntries(entries) as NodeHandlers), delay, approval, wait_for_callback, sub_workflow };
}

/** Converts an event to the form in which it is read from the journal. */
export function recorded(
  nodeId: string,
  kind: RecordedEvent["kind"],
  more: Partial<RecordedEvent> = {},
): RecordedEvent {
  return { nodeId, kind, iteration: "", attempt: 1, answeredAttempts: 0, output: null, error: null, ageMs: 0, ...more };
}

/** Converts the events that one worker journaled to the form in which the next worker reads them. */
export function recordedFrom(events: readonly EngineEvent[], ageMs = 0): RecordedEvent[] {
  return events.map(({ nodeId, kind, iteration, attempt, answeredAttempts = 0, outputData, error }) =>
    recorded(nodeId, kind, { iteration, attempt, answeredAttempts, output: outputData, error: error ?? null, ageMs }),
  );
}

interface TestRun {
  outcome: Promise<RunOutcome>;
  journal: ReturnType<typeof memoryJournal>;
  clock: ReturnType<typeof virtualClock>;
}

/** Returns services that contain nothing. */
export function noServices({ now }: Clock): StepServices {
  const unused = () => Promise.reject(new Error("not available"));
  return {
    breaker: { admit: unused, report: unused },
    compute: { findCase: async (cases) => findCase(cases), parseObject: unused, checkValue: unused },
    connections: { open: unused },
    callbacks: { urlOf: (nodeId, iteration) => `https://hooks.test/${nodeId}/${iteration}`, open: unused },
    gates: { open: unused },
    subRuns: { open: unused },
    sandbox: { runCode: unused, evaluateJsonata: unused },
    send: unused,
    now,
  };
}

/** Runs the graph in memory. */
export function runGraph(
  graph: TestGraph,
  request: Partial<PipelineRequest> = {},
  ports: Partial<RunPorts> = {},
): TestRun {
  const journal = memoryJournal();
  const clock = virtualClock();
  const outcome = runPipeline(
    {
      runId: RUN_ID,
      plan: compilePlan(withoutBypassedBodies(testDefinition(graph)), testHandlers(graph)),
      input: {},
      traceparent: null,
      progress: new Map(),
      remainingMs: 300_000,
      signal: new AbortController().signal,
      stopping: new AbortController().signal,
      ...request,
    },
    {
      clock,
      random: () => 0.5,
      journal,
      untilFit: async () => {},
      takeTurn: () => null,
      services: noServices(clock),
      ...ports,
    },
  );
  return { outcome, journal, clock };
}

interface Pause {
  atMs: number;
  ms: number;
  journalBytes: number;
}

/**
 * Runs the graph in memory to its end. When the run is parked for some time, another worker continues it from its
 * journal.
 */
export function runThroughPauses(
  graph: TestGraph,
  request: Partial<PipelineRequest> = {},
): TestRun & { pauses: Pause[] } {
  const clock = virtualClock();
  const journal = memoryJournal();
  const pauses: Pause[] = [];
  let remainingMs = request.remainingMs ?? 300_000;
  const run = async (): Promise<RunOutcome> => {
    let journalBytes = 0;
    for (let retries: ParkedRetry[] = []; ; ) {
      const startedMs = clock.at();
      const events = journal.events.flatMap((event) => recordedFrom([event], startedMs - event.at.getTime()));
      const outcome = await runGraph(
        graph,
        { ...request, progress: resume(events), retries, remainingMs, journalBytes },
        { clock, journal, services: noServices(clock) },
      ).outcome;
      remainingMs -= clock.at() - startedMs;
      if (outcome.status !== "parked") return outcome;
      const times = outcome.waits.flatMap((wait) => (wait.kind === "time" ? [wait] : []));
      const ms = Math.min(...times.map((time) => time.ms));
      journalBytes = outcome.journalBytes;
      pauses.push({ atMs: clock.at(), ms, journalBytes });
      retries = times.flatMap((time) => (time.retry ? [{ ...time.retry, waitMs: time.ms - ms }] : []));
      await clock.sleep(ms, new AbortController().signal);
    }
  };
  return { outcome: run(), journal, clock, pauses };
}
