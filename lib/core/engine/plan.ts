import type { StepErrorPayload } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphEdge, GraphNode, NodeType } from "#lib/contract/workflow/graph";
import type { StepServices } from "#lib/core/engine/ports";
import type { Wait } from "#lib/core/engine/waits";
import type { RetryBackoff } from "#lib/core/engine/work-settings";
import type { UnresolvedPath } from "#lib/core/expressions/unresolved-path";

/**
 * The values that a node's templates can refer to: outputs by node id, and the output of the entry node also as
 * `action_input`.
 */
export type TemplateValues = Record<string, unknown>;

/** What a step gets in addition to its input. */
export interface StepContext {
  runId: string;
  nodeId: string;
  iteration: string;
  /** `<run_id>:<node_id>:<iteration>`, with `:r<n>` after n answered attempts (decisions, Runs). */
  idempotencyKey: string;
  /** W3C Trace Context of this attempt. */
  traceparent(): string;
  /** For steps that resolve templates themselves, item by item. */
  scope: TemplateValues;
  /** Aborted when the attempt's time is up or the worker loses the run. */
  signal: AbortSignal;
  /** The remaining time of the attempt, in ms. */
  remainingMs(): number;
  /** Starts the time limit of a step that waits for its turn first (`waitsForTurn`). */
  startTimeLimit(): void;
  services: StepServices;
  /** How the attempt before this one failed; null for the first one. */
  previousError: StepErrorPayload | null;
  /** Takes the paths that did not resolve while the step executes. */
  unresolved: UnresolvedPath[];
  /** Takes the lines that the step writes to its console. */
  onConsole(lines: readonly string[]): void;
  /** Of the CorrectableError that ended the attempt before this one; otherwise null. */
  correction: unknown;
}

/** What the scheduler knows about a node from its kind. */
export interface NodeTraits {
  /** True for nodes that a workflow starts with. */
  isEntry: boolean;
  /** True if other nodes can name this node as their `parentId`. */
  holdsBody: boolean;
  /**
   * True if the step reaches outside, or waits. Its start is durable before it runs and its end soon after. It has a
   * time limit, and a stopping worker does not start it. Steps without side effects are fast and can be repeated.
   */
  hasSideEffects: boolean;
  /** True for nodes whose output is the output of the run. */
  isResult: boolean;
  /** True for nodes with an address that other steps can read before the node runs. */
  hasAddress: boolean;
  /** Returns the handle that the finished step chose; depends on its output alone, so that resume chooses the same. */
  chosenHandle?: ((output: unknown) => string | null) | undefined;
  /** The branch that an edge without a handle belongs to, if that is not simply "the step completed". */
  namelessHandle?: string | undefined;
  /** True if edges can start at the step's Failed branch. */
  hasFailedBranch: boolean;
  /** Only of a disabled step: the branch on which a run passes it by. */
  bypassHandle?: string | null;
}

interface PreparedBase<Input> {
  /**
   * @param unresolved takes the paths that do not resolve
   * @throws StepError
   */
  resolveInput(scope: TemplateValues, runInput: JsonObject, unresolved: UnresolvedPath[]): Input;
}

/**
 * A node that was prepared once per workflow version: its data is checked and its templates are parsed. `Input` is what
 * its templates resolve to, and what the journal shows as the step's input.
 */
export interface PreparedNode<Input = unknown> extends PreparedBase<Input> {
  /** True for a step without side effects that can still take long. It gets the step's time limit. */
  hasTimeLimit?: boolean;
  /**
   * True if the step may have to wait for its turn. Its time limit starts with `startTimeLimit`; only the run's time
   * counts before.
   */
  waitsForTurn?: boolean;
  /**
   * @returns the step's output, plain JSON
   * @throws StepError; any other error becomes UNKNOWN
   */
  execute(input: Input, context: StepContext): unknown;
  /** Returns true if a TIMEOUT may be retried. Without this function, it may not. */
  isIdempotent?(input: Input): boolean;
}

/** A node that runs its body once for each of its items. */
export interface PreparedLoop extends PreparedBase<{ items: unknown[] }> {
  /** How many iterations can run at the same time. */
  concurrency: number;
  /**
   * @param scope the iteration's scope, including the outputs of its body
   * @returns the iteration's entry in the loop's `results`
   * @throws StepError
   */
  resolveResult(scope: TemplateValues, unresolved: UnresolvedPath[]): unknown;
}

export interface WaitContext extends StepContext {
  /** How long ago the step started, in ms. A wait continues where the run was parked. */
  waitedMs: number;
  /** Returns true if an edge starts at this branch of the step. */
  hasBranch(handle: string): boolean;
}

/** The result of checking what a step waits for. */
export type Look = { kind: "here"; output: unknown } | { kind: "wait"; wait: Wait };

/**
 * A node that waits for something outside the run. While other branches work, it waits in memory. When nothing else is
 * left to do, the run is parked and holds no worker.
 */
export interface PreparedWait<Input = unknown> extends PreparedBase<Input> {
  /**
   * Checks when the step starts, and again whenever the awaited result may have arrived.
   * @throws StepError
   */
  look(input: Input, context: WaitContext): Look | Promise<Look>;
}

export type AnyPrepared = PreparedNode | PreparedLoop | PreparedWait;

/**
 * Creates the prepared form of each node type.
 * @throws StepError VALIDATION_ERROR if the node's data cannot be executed
 */
export type NodeHandler = (node: GraphNode) => AnyPrepared & NodeTraits;
export type NodeHandlers = Record<NodeType, NodeHandler>;

/** How often a step that failed is tried again, and after which pauses. */
export interface RetryPlan {
  max: number;
  backoff: RetryBackoff;
  /** The pause before the first retry, or the longest one if the pauses are random. */
  waitMs: number;
}

export interface PlanNode {
  id: string;
  type: NodeType;
  /** The label that a person gave the node. */
  name: string | null;
  prepared: AnyPrepared & NodeTraits;
  retries: RetryPlan;
  continueOnFailure: boolean;
  /** True if an edge starts at the step's Failed branch. */
  takesFailedBranch: boolean;
  /** The loop around the step that continues after a failure inside it; null if such a failure ends the run. */
  caughtBy: PlanNode | null;
  incoming: number;
  outgoing: readonly PlanEdge[];
  /** The nodes of a loop's body, in the order of the definition; empty for all other nodes. */
  body: readonly PlanNode[];
}

export interface PlanEdge {
  edge: GraphEdge;
  target: PlanNode;
}

/** A definition that is ready to run. It is immutable, so all runs of a version share one plan. */
export interface ExecutionPlan {
  /** The nodes outside loops, in the order of the definition. */
  nodes: readonly PlanNode[];
  /** True if a step may wait for something that outlives a failure of the run: a decision or a sub-run. */
  mayWait: boolean;
  /** True if a step has an address. */
  hasAddresses: boolean;
}
