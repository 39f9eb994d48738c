import type { z } from "zod";
import type { Caller, KeyCaller, RequestContext } from "#lib/api/operations/define/caller";
import { ApiError } from "#lib/contract/api-error";
import type { RuntimeErrorCode } from "#lib/contract/openapi/api-error-meanings";
import { hasRole, type Role } from "#lib/contract/roles";
import { toFieldErrors } from "#lib/contract/schemas/field-errors";
import type { Scope } from "#lib/contract/scopes";
import { countRequest } from "#lib/domain/keys/count-request";

/** What the description of the runtime API cannot read from the binding, the input and the output. */
export interface RestAnswers {
  /** Which group of endpoints it belongs to. */
  tag: "Actions" | "Runs";
  /** What each status of a success says. */
  successes: Partial<Record<200 | 202, string>>;
  /** Codes that only this operation answers, beside those that its path, its scope and its body imply. */
  errors?: readonly RuntimeErrorCode[];
  /** Request headers that it reads, beside those that every operation does. */
  headers?: readonly ("idempotency-key" | "prefer" | "traceparent")[];
}

export interface RestBinding {
  method: "GET" | "POST";
  path: string;
  /** Of a success; 200 by default. An operation may say otherwise for one answer (`RequestContext.answerStatus`). */
  status?: 200 | 202;
  answers: RestAnswers;
  /**
   * Throws when what the path names cannot be asked. Only called for a body that cannot be read: the route comes before
   * the body in the order of checks, so an unknown slug is a 404 whatever was sent to it.
   */
  assertTarget?(caller: Caller, params: Record<string, string>): Promise<void>;
}

/**
 * One thing a caller can ask for. REST, MCP and the web application are adapters over it and hold no rule of their own.
 * `Input` is the wire input after parsing; `Output` the wire output, the same on every surface.
 */
export interface Operation<Schema extends z.ZodObject = z.ZodObject, Output = unknown, Name extends string = string> {
  /** snake_case; the MCP tool's name and the web application's path. */
  name: Name;
  title: string;
  description: string;
  /** What a key needs, all of several; "web" is for the web application alone: no key reaches it. */
  scope: Scope | readonly Scope[] | "web";
  /** What a member of the workspace needs. */
  role: Role;
  /** Present when the operation has an HTTP path under /api/v1/runtime. */
  rest?: RestBinding;
  /** Present when the operation is an MCP tool. */
  mcp?: { readOnly: boolean; destructive?: boolean; openWorld?: boolean };
  input: Schema;
  /** The answer on every surface: what `run` returns. */
  output: z.ZodType;
  run(caller: Caller, input: z.output<Schema>, context: RequestContext): Promise<Output>;
}

export function defineOperation<const Name extends string, Schema extends z.ZodObject, Output>(
  operation: Operation<Schema, Output, Name> & { output: z.ZodType<NoInfer<Output>> },
): Operation<Schema, Output, Name> {
  return operation;
}

/** @throws ApiError FORBIDDEN when the key lacks the scope or the member the role. */
export function authorize(operation: Pick<Operation, "scope" | "role">, caller: Caller): void {
  if (caller.kind === "user") {
    if (hasRole(caller.role, operation.role)) return;
    throw new ApiError("role_too_low", `This needs the role ${operation.role} or higher; yours is ${caller.role}.`, {
      details: { required_role: operation.role, role: caller.role },
    });
  }
  const needed = typeof operation.scope === "string" ? [operation.scope] : operation.scope;
  const missing = needed.find((scope) => scope === "web" || !caller.scopes.includes(scope));
  if (missing === undefined) return;
  throw new ApiError("scope_missing", `The key lacks the scope ${missing}.`, {
    details: { required_scope: missing, granted_scopes: caller.scopes },
  });
}

/** The same for a key, before its request is read: `invoke` would not come to count the refusal. */
export function authorizeKey(operation: Pick<Operation, "name" | "scope" | "role">, caller: KeyCaller): void {
  try {
    authorize(operation, caller);
  } catch (error) {
    countRequest(caller.keyId, operation.name, 403);
    throw error;
  }
}

/**
 * The only way into an operation: scope or role, then input, then run (decisions, Runs: order of checks).
 * @throws ApiError FORBIDDEN, BAD_REQUEST with `details` per field, or what the operation throws
 */
export async function invoke<Schema extends z.ZodObject, Output>(
  operation: Operation<Schema, Output>,
  caller: Caller,
  raw: unknown,
  context: RequestContext,
): Promise<Output> {
  if (caller.kind === "user") return runParsed(operation, caller, raw, context);
  try {
    const output = await runParsed(operation, caller, raw, context);
    countRequest(caller.keyId, operation.name, 200);
    return output;
  } catch (error) {
    countRequest(caller.keyId, operation.name, error instanceof ApiError ? error.status : 500);
    throw error;
  }
}

async function runParsed<Schema extends z.ZodObject, Output>(
  operation: Operation<Schema, Output>,
  caller: Caller,
  raw: unknown,
  context: RequestContext,
): Promise<Output> {
  authorize(operation, caller);
  // House rule: unknown fields are ignored on the runtime surface and rejected on the web surface.
  const schema = caller.kind === "user" ? operation.input.strict() : operation.input;
  const parsed = schema.safeParse(raw);
  if (!parsed.success) {
    const details = toFieldErrors(parsed.error);
    throw new ApiError("BAD_REQUEST", `${details[0]?.field}: ${details[0]?.message}`, { details });
  }
  return operation.run(caller, parsed.data as z.output<Schema>, context);
}
