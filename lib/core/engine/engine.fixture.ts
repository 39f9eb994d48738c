import type { Definition, GraphNode, NodeType } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import { compilePlan } from "#lib/core/engine/compile-plan";
import type { NodeHandler, NodeHandlers, PreparedLoop, PreparedNode, StepContext } from "#lib/core/engine/plan";
import type { Clock, EngineEvent, JournalPort, RunPorts, StepServices } from "#lib/core/engine/ports";
import type { RecordedEvent } from "#lib/core/engine/resume";
import { type RunOutcome, runPipeline } from "#lib/core/engine/run-pipeline";
import type { PipelineRequest } from "#lib/core/engine/run-state";
import { loadNodeHandlers, traitsOf } from "#lib/core/steps/load-node-handlers";
import { STEP_TYPES } from "#lib/core/steps/step-kinds";

export const RUN_ID = "018f2f6e-0000-7000-8000-000000000001";

/** What a node does in a test; without one it passes its id on. A condition's behavior gives its result. */
export type Behavior = (context: StepContext) => unknown;

export interface TestGraph {
  /** "source>target" or "source.handle>target"; nodes come from here. */
  paths: string[];
  /** By node id; a node that is not named is a transform, `in` the entry and ids that begin with `out` results. */
  types?: Record<string, NodeType>;
  data?: Record<string, JsonObject>;
  /** Nodes inside loops: the loop's id by theirs. Those without an edge stand here only. */
  inside?: Record<string, string>;
  behaviors?: Record<string, Behavior>;
  idempotent?: string[];
  /** Steps are given nothing, instead of all outputs before them. */
  isBlind?: boolean;
}

/**
 * For tests: a clock that stands still while anything can happen, and then jumps to the next timer. No test waits, and
 * a handler that never answers meets its time limit.
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
  // After what the run itself puts off to the next turn of the event loop.
  const soon = () => setImmediate(() => setImmediate(pump));
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

/** For tests: a journal in memory that notes how many events were durable whenever somebody asked for it. */
export function memoryJournal(): JournalPort & { events: EngineEvent[]; flushed: number[]; names(): string[] } {
  const events: EngineEvent[] = [];
  const flushed: number[] = [];
  return {
    events,
    flushed,
    /** "node:kind" of every event, without the common beginning. */
    names: () => events.map((event) => `${event.nodeId}:${event.kind.replace("step_", "")}`),
    append: (event) => {
      events.push(event);
    },
    flush: async () => {
      flushed.push(events.length);
    },
    keepUp: async () => {},
    flushSoon: () => {},
  };
}

export function testDefinition({ paths, types = {}, data = {}, inside = {} }: TestGraph): Definition {
  const edges = paths.flatMap((path) => {
    const [from = "", target] = path.split(">");
    const [source = "", sourceHandle] = from.split(".");
    return target === undefined ? [] : [{ id: path, source, target, ...(sourceHandle ? { sourceHandle } : {}) }];
  });
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
  return { nodes, edges };
}

/** Its items are those of its data; an iteration's result is its scope. */
function testLoop(node: GraphNode): PreparedLoop {
  const { items, concurrency = 1 } = node.data as { items: unknown[]; concurrency?: number };
  return { concurrency, resolveInput: () => ({ items }), resolveResult: (scope) => ({ ...scope }) };
}

const nodeHandlers = await loadNodeHandlers();

/** What waits is real; nodes of type `connector` have side effects, all others are pure. */
function testHandlers({ behaviors = {}, idempotent = [], isBlind = false }: TestGraph): NodeHandlers {
  const prepareStep =
    (type: NodeType) =>
    (node: GraphNode): PreparedNode => ({
      resolveInput: (scope) => (isBlind ? {} : { ...scope }),
      execute: async (_input, context) => {
        const result = await (behaviors[node.id]?.(context) ?? { [node.id]: node.id });
        return type === "condition" ? { result } : result;
      },
      isIdempotent: () => idempotent.includes(node.id),
    });
  const { delay, approval, sub_workflow } = nodeHandlers(() => null);
  const entries = STEP_TYPES.map((type): [NodeType, NodeHandler] => {
    const prepare = type === "loop" ? testLoop : prepareStep(type);
    return [type, (node) => ({ ...prepare(node), ...traitsOf(type) })];
  });
  return { ...(Object.fromEntries(entries) as NodeHandlers), delay, approval, sub_workflow };
}

/** For tests: an event as it is read back. */
export function recorded(
  nodeId: string,
  kind: RecordedEvent["kind"],
  more: Partial<RecordedEvent> = {},
): RecordedEvent {
  return { nodeId, kind, iteration: "", attempt: 1, answeredAttempts: 0, output: null, error: null, ageMs: 0, ...more };
}

/** For tests: what one worker journalled, as the next one reads it. */
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

/** For tests: a world in which nothing is there. */
export function noServices({ now }: Clock): StepServices {
  const unused = () => Promise.reject(new Error("not here"));
  return {
    breaker: { admit: unused, report: unused },
    connections: { open: unused },
    gates: { open: unused },
    subRuns: { open: unused },
    sandbox: { runCode: unused, evaluateJsonata: unused },
    send: unused,
    now,
  };
}

/** For tests: runs the graph in memory. */
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
      plan: compilePlan(testDefinition(graph), testHandlers(graph)),
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
      services: noServices(clock),
      ...ports,
    },
  );
  return { outcome, journal, clock };
}
