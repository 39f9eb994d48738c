import type { z } from "zod";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { JsonObject } from "#lib/contract/json-schema";
import { StepError } from "#lib/contract/step-error";
import type { ConnectorOperation, OperationContext } from "#lib/core/engine/ports";

/** What an operation does at the service, which says whether doing it twice does more than once. */
export const OPERATION_KINDS = ["read", "search", "create", "update", "delete", "send"] as const;
type OperationKind = (typeof OPERATION_KINDS)[number];

/** What whoever fills in a connector step must know of its operation. */
export interface OperationGuide {
  title: string;
  description: string;
  /** The vendor's page about it. */
  docs?: string;
  /** Absent where the request itself says what it does. */
  kind?: OperationKind;
  params: z.ZodType;
  /** What the step's output is like; an operation that answers anything says so. */
  output: z.ZodType;
  /** `params` that can be published. */
  example: JsonObject;
}

/** An operation that a connector step may name has a guide; one without is called by another type of node. */
export interface GuidedOperation extends ConnectorOperation {
  guide?: OperationGuide;
  /** True where nothing can be asked without a connection. */
  needsConnection?: boolean;
}

interface OperationOptions<Params extends z.ZodType> extends OperationGuide {
  kind: OperationKind;
  docs: string;
  params: Params;
  /** Where its kind says otherwise: by default everything but create and send may be repeated after a time-out. */
  isIdempotent?: boolean;
  /** @throws StepError */
  run(service: ServiceContext, params: z.output<Params>): Promise<unknown>;
}

const REPEATABLE: ReadonlySet<OperationKind> = new Set(["read", "search", "update", "delete"]);

/** An operation of a service that wants a connection. Its params are checked before anything is sent. */
export function connectorOperation<Params extends z.ZodType>(options: OperationOptions<Params>): GuidedOperation {
  const { run, isIdempotent = REPEATABLE.has(options.kind), ...guide } = options;
  return {
    guide,
    needsConnection: true,
    isIdempotent: () => isIdempotent,
    call: async (params, context) => run(serviceOf(context), parseParams(options.params, params)),
  };
}

/** @throws StepError VALIDATION_ERROR naming the parameter */
function parseParams<Params extends z.ZodType>(schema: Params, params: unknown): z.output<Params> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new StepError("VALIDATION_ERROR", `${issue?.path.join(".") || "params"}: ${issue?.message}`);
}

/** @throws StepError VALIDATION_ERROR without a connection */
function serviceOf({ connection, signal, now, idempotencyKey, traceparent }: OperationContext): ServiceContext {
  if (!connection) throw new StepError("connection_missing", "connection_id: is required");
  const { settings, send } = connection;
  return { settings, send, signal, now, headers: { "idempotency-key": idempotencyKey, traceparent } };
}
