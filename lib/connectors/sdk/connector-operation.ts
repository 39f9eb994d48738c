import type { z } from "zod";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { textPlacesOf } from "#lib/connectors/sdk/text-places-of";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { ConnectorOperation, OperationContext } from "#lib/core/engine/ports";
import { parseGiven } from "#lib/support/leave-out-nulls";

/** The effect of an operation on the service, which decides whether it may be repeated. */
export const OPERATION_KINDS = ["read", "search", "create", "update", "delete", "send"] as const;
type OperationKind = (typeof OPERATION_KINDS)[number];

/** Describes an operation to those who fill in a connector step. */
export interface OperationGuide {
  title: string;
  description: string;
  /** Words for the operation that do not appear in its title or description. */
  keywords?: string;
  /** The vendor's documentation of the operation. */
  docs?: string;
  /** Missing if the request itself decides, as in HTTP. */
  kind?: OperationKind;
  params: z.ZodType;
  /** The shape of the step's output; an operation with any output says so. */
  output: z.ZodType;
  /** Example `params` that are valid in a published workflow. */
  example: JsonObject;
}

/** An operation. Those that a connector step may name have a guide; the others are called by another type of node. */
export interface GuidedOperation extends ConnectorOperation {
  guide?: OperationGuide;
  /** True if the operation cannot be called without a connection. */
  needsConnection?: boolean;
}

interface OperationOptions<Params extends z.ZodType> extends OperationGuide {
  kind: OperationKind;
  docs: string;
  params: Params;
  /** Overrides the default of the kind: everything except create and send may be repeated after a timeout. */
  isIdempotent?: boolean;
  /** @throws StepError */
  run(service: ServiceContext, params: z.output<Params>): Promise<unknown>;
}

const REPEATABLE: ReadonlySet<OperationKind> = new Set(["read", "search", "update", "delete"]);

/** Defines an operation of a service that requires a connection. Its params are checked before anything is sent. */
export function connectorOperation<Params extends z.ZodType>(options: OperationOptions<Params>): GuidedOperation {
  const { run, isIdempotent = REPEATABLE.has(options.kind), ...guide } = options;
  const places = textPlacesOf(options.params);
  return {
    get textPlaces() {
      return places();
    },
    guide,
    needsConnection: true,
    isIdempotent: () => isIdempotent,
    call: async (params, context) => run(serviceOf(context), parseParams(options.params, params)),
  };
}

/** @throws StepError VALIDATION_ERROR naming the parameter */
function parseParams<Params extends z.ZodType>(schema: Params, params: unknown): z.output<Params> {
  const parsed = parseGiven(schema, params);
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
