import type { GraphEdge, GraphNode, NodeType } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import type { StepServices } from "#lib/core/engine/ports";
import type { Wait } from "#lib/core/engine/waits";

/** The values that a node's templates may name: outputs by node id, and the entry node's as `action_input`. */
export type TemplateValues = Record<string, unknown>;

/** What a step is told beside its input. */
export interface StepContext {
  runId: string;
  nodeId: string;
  iteration: string;
  /** `<run_id>:<node_id>:<iteration>`, with `:r<n>` after n answered attempts (decisions, Runs). */
  idempotencyKey: string;
  /** W3C Trace Context of this attempt. */
  traceparent(): string;
  /** For a step that fills in templates itself, item by item. */
  scope: TemplateValues;
  /** Aborted when the attempt's time is up or the run is taken away. */
  signal: AbortSignal;
  /** Of the attempt's time, in ms. */
  remainingMs(): number;
  services: StepServices;
}

/** What the scheduler knows of a node from its kind. */
export interface NodeTraits {
  /** True for the nodes that a workflow starts with. */
  isEntry: boolean;
  /** True when other nodes may name it as their `parentId`. */
  holdsBody: boolean;
  /**
   * True when the step reaches outside, or waits. Its start is then durable before it starts and its end soon after, it has
   * a time limit, and a stopping worker does not start it. Steps without are quick and may be repeated.
   */
  hasSideEffects: boolean;
  /** True for the nodes whose output is the run's. */
  isResult: boolean;
  /** Which handle the finished step chose; a function of its output alone, so that resume chooses the same. */
  chosenHandle?: ((output: unknown) => string | null) | undefined;
  /** What an edge without a handle means, if that is not "when it completed". */
  namelessHandle?: string | undefined;
}

interface PreparedBase<Input> {
  /** @throws StepError */
  resolveInput(scope: TemplateValues, runInput: JsonObject): Input;
}

/**
 * A node made ready once per workflow version: its data checked, its templates read. `Input` is what its templates
 * resolve to, and what the journal shows as the step's input.
 */
export interface PreparedNode<Input = unknown> extends PreparedBase<Input> {
  /** True for a step without side effects that may take long all the same: it has the step's time limit. */
  hasTimeLimit?: boolean;
  /**
   * @returns the step's output, plain JSON
   * @throws StepError, or anything, which becomes UNKNOWN
   */
  execute(input: Input, context: StepContext): unknown;
  /** Whether a TIMEOUT may be retried; absent is no. */
  isIdempotent?(input: Input): boolean;
}

/** A node whose body is executed once for each of its items. */
export interface PreparedLoop extends PreparedBase<{ items: unknown[] }> {
  /** Iterations at the same time. */
  concurrency: number;
  /**
   * @param scope of the iteration, its body's outputs included
   * @returns the iteration's place in the loop's `results`
   * @throws StepError
   */
  resolveResult(scope: TemplateValues): unknown;
}

export interface WaitContext extends StepContext {
  /** How long ago the step began, in ms; a wait goes on where the run was parked. */
  waitedMs: number;
}

/** What a waiting step found. */
export type Look = { kind: "here"; output: unknown } | { kind: "wait"; wait: Wait };

/**
 * A node that waits for something outside the run. While other branches work it waits here; when there is nothing else
 * left to do, the run is parked and holds no worker.
 */
export interface PreparedWait<Input = unknown> extends PreparedBase<Input> {
  /**
   * Looks when the step begins, and again whenever what it waited for may be there.
   * @throws StepError
   */
  look(input: Input, context: WaitContext): Look | Promise<Look>;
}

export type AnyPrepared = PreparedNode | PreparedLoop | PreparedWait;

/**
 * What a node type does.
 * @throws StepError VALIDATION_ERROR when the node's data cannot be executed
 */
export type NodeHandler = (node: GraphNode) => AnyPrepared & NodeTraits;
export type NodeHandlers = Record<NodeType, NodeHandler>;

export interface PlanNode {
  id: string;
  type: NodeType;
  /** The label a person gave it. */
  name: string | null;
  prepared: AnyPrepared & NodeTraits;
  maxRetries: number;
  continueOnFailure: boolean;
  incoming: number;
  outgoing: readonly PlanEdge[];
  /** The nodes of a loop's body, in the order of the definition; empty for every other node. */
  body: readonly PlanNode[];
}

export interface PlanEdge {
  edge: GraphEdge;
  target: PlanNode;
}

/** A definition made ready to run. Immutable, so one plan serves every run of its version. */
export interface ExecutionPlan {
  /** In the order of the definition, without those that stand inside a loop. */
  nodes: readonly PlanNode[];
  /** True when a step may wait for something that outlives the run's failure: a decision, a sub-run. */
  mayWait: boolean;
}
