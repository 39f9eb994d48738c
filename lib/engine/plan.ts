import type { GraphEdge, GraphNode, NodeType } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import type { StepServices } from "#lib/engine/ports";

/** The values that a node's templates may name: outputs by node id, and the entry node's as `action_input`. */
export type Scope = Record<string, unknown>;

/** What a step is told beside its input. */
export interface StepContext {
  runId: string;
  nodeId: string;
  iteration: string;
  /** `<run_id>:<node_id>:<iteration>`, with `:r<n>` after n answered attempts (decisions, Runs). */
  idempotencyKey: string;
  /** W3C Trace Context of this attempt. */
  traceparent(): string;
  /** Aborted when the attempt's time is up or the run is taken away. */
  signal: AbortSignal;
  services: StepServices;
}

/**
 * A node made ready once per workflow version: its data checked, its templates read. `Input` is what its templates
 * resolve to, and what the journal shows as the step's input.
 */
export interface PreparedNode<Input = unknown> {
  /**
   * True when the step reaches outside. Its start is then durable before it begins and its end soon after, it has a
   * time limit, and a stopping worker does not begin it. Steps without are quick and may be repeated.
   */
  hasSideEffects: boolean;
  /** True for the nodes whose output is the run's. */
  isResult?: boolean;
  /** @throws StepError */
  resolveInput(scope: Scope, runInput: JsonObject): Input;
  /**
   * @returns the step's output, plain JSON
   * @throws StepError, or anything, which becomes UNKNOWN
   */
  execute(input: Input, context: StepContext): unknown;
  /** Which handle the finished step chose; a function of its output alone, so that resume chooses the same. */
  chosenHandle?(output: unknown): string | null;
  /** Whether a TIMEOUT may be retried; absent is no. */
  isIdempotent?(input: Input): boolean;
}

/**
 * What a node type does.
 * @throws StepError VALIDATION_ERROR when the node's data cannot be executed
 */
export type NodeHandler = (node: GraphNode) => PreparedNode;
export type NodeHandlers = Record<NodeType, NodeHandler>;

export interface PlanNode {
  id: string;
  type: NodeType;
  /** The label a person gave it. */
  name: string | null;
  prepared: PreparedNode;
  maxRetries: number;
  continueOnFailure: boolean;
  isEntry: boolean;
  incoming: number;
  outgoing: readonly PlanEdge[];
}

export interface PlanEdge {
  edge: GraphEdge;
  target: PlanNode;
}

/** A definition made ready to run. Immutable, so one plan serves every run of its version. */
export interface Plan {
  /** In the order of the definition. */
  nodes: readonly PlanNode[];
}
