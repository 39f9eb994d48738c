import type { z } from "zod";
import type { Caller, KeyCaller, RequestContext } from "#lib/api/operations/define/caller";
import { ApiError, type FieldError, toFieldErrors } from "#lib/contract/error/api-error";
import type { Scope } from "#lib/contract/key/scopes";
import type { RuntimeErrorCode } from "#lib/contract/openapi/api-error-meanings";
import { hasRole, type Role } from "#lib/contract/workspace/roles";
import { countRequest } from "#lib/domain/keys/count-request";
import type { TakenRequest } from "#lib/domain/limits/take-request";
import type { KeepAnswer } from "#lib/domain/repeats/answer-once";
import { noteWork } from "#lib/platform/metrics/note-work";
import { noteOnSpan } from "#lib/platform/telemetry/telemetry";
import { parseGiven } from "#lib/support/leave-out-nulls";
import { isLargeJson, nextTurn } from "#lib/support/take-turn";

/** What the OpenAPI document cannot derive from the binding, the input and the output. */
export interface RestAnswers {
  /** The group of endpoints the operation belongs to. */
  tag: "Actions" | "Runs";
  /** A description for each success status. */
  successes: Partial<Record<200 | 202, string>>;
  /** Error codes specific to this operation, in addition to those that its path, scope and body imply. */
  errors?: readonly RuntimeErrorCode[];
  /** Request headers the operation reads, in addition to those that every operation reads. */
  headers?: readonly ("idempotency-key" | "prefer" | "traceparent")[];
}

export interface RestBinding {
  method: "GET" | "POST";
  path: string;
  /** Success status; 200 by default. An operation can override it for one answer (`RequestContext.answerStatus`). */
  status?: 200 | 202;
  answers: RestAnswers;
  /**
   * Spends the request and reads what the operation needs in the same round trip, into the context. Nothing in `given`,
   * the path and the query as text, has been checked. Without this, the request is spent alone.
   */
  take?(keyId: string, given: Record<string, string>, context: RequestContext): Promise<TakenRequest>;
  /**
   * Throws if the resource in the path is not available. Only called for a body that cannot be read or has invalid
   * fields: the route comes before the body in the order of checks, so an unknown slug is a 404 whatever the body
   * contains.
   */
  assertTarget?(caller: Caller, params: Record<string, string>): Promise<void>;
}

/** The shorter lists of tools that a client can request. Every tool costs tokens in every conversation. */
export const TOOL_SETS = ["run", "build"] as const;
export type ToolSet = (typeof TOOL_SETS)[number];

export interface McpBinding {
  readOnly: boolean;
  destructive?: boolean;
  openWorld?: boolean;
  /** The shorter lists that contain the tool; in none by default. */
  sets?: readonly ToolSet[];
}

/**
 * One thing a caller can do. REST, MCP and the web application are adapters over operations and contain no rules of
 * their own. `Input` is the wire input after parsing; `Output` is the wire output, the same on every surface.
 */
export interface Operation<Schema extends z.ZodObject = z.ZodObject, Output = unknown, Name extends string = string> {
  /** snake_case; also the MCP tool's name and the path in the web application. */
  name: Name;
  title: string;
  description: string;
  /** The scopes a key needs (all of them; any key can call it if the list is empty). "web" restricts the operation to the web application: no key can call it. */
  scope: Scope | readonly Scope[] | "web";
  /** The role a member of the workspace needs. */
  role: Role;
  /**
   * True if the operation concerns only the user's own account, so that a workspace's rules for its members don't hold
   * it back: a user must be able to set up what a workspace requires.
   */
  isAboutAccount?: boolean;
  /** True if the operation stops requiring single sign-on: an owner with a second factor can call it from outside. */
  isWayBack?: boolean;
  /**
   * True if a repeated call would create another thing, such as a workflow, a version or a run. Its tool takes an
   * idempotency key then. Only `defineCreation` sets it. `run_action` and `run_actions` have keys of their own, which are
   * written with the run.
   */
  creates?: boolean;
  /** Present if the operation has an HTTP path under /api/v1/runtime. */
  rest?: RestBinding;
  /** Present if the operation is an MCP tool. */
  mcp?: McpBinding;
  input: Schema;
  /** The answer on every surface: what `run` returns. */
  output: z.ZodType;
  /** An operation that creates something calls `keep` with its answer, in the transaction that creates. */
  run(caller: Caller, input: z.output<Schema>, context: RequestContext, keep?: KeepAnswer): Promise<Output>;
}

export function defineOperation<const Name extends string, Schema extends z.ZodObject, Output>(
  operation: Operation<Schema, Output, Name> & { output: z.ZodType<NoInfer<Output>>; creates?: never },
): Operation<Schema, Output, Name> {
  return operation;
}

/** @throws ApiError FORBIDDEN when the key lacks the scope or the member the role. */
export function authorize(operation: Pick<Operation, "scope" | "role">, caller: Caller): void {
  if (caller.kind === "user") {
    if (hasRole(caller.role, operation.role)) return;
    throw new ApiError("role_too_low", `You need the ${operation.role} role or higher; yours is ${caller.role}.`, {
      details: { required_role: operation.role, role: caller.role },
    });
  }
  const missing = missingScope(operation, caller);
  if (missing === undefined) return;
  throw new ApiError("scope_missing", `The key lacks the scope ${missing}.`, {
    details: { required_scope: missing, granted_scopes: caller.scopes },
  });
}

/** Returns the first scope of the operation that the key lacks. */
export function missingScope({ scope }: Pick<Operation, "scope">, caller: KeyCaller): string | undefined {
  const needed = typeof scope === "string" ? [scope] : scope;
  return needed.find((one) => one === "web" || !caller.scopes.includes(one));
}

/** Authorizes a key before its request is read, and counts the refusal, because `invoke` is never reached. */
export function authorizeKey(operation: Pick<Operation, "name" | "scope" | "role">, caller: KeyCaller): void {
  try {
    authorize(operation, caller);
  } catch (error) {
    countRequest(caller.keyId, operation.name, 403);
    throw error;
  }
}

/**
 * Runs an operation. The only entry point: checks scope or role, then input, then runs (decisions, Runs: order of
 * checks).
 * @throws ApiError FORBIDDEN, BAD_REQUEST with `details` per field, or what the operation throws
 */
export async function invoke<Schema extends z.ZodObject, Output>(
  operation: Operation<Schema, Output>,
  caller: Caller,
  raw: unknown,
  context: RequestContext,
): Promise<Output> {
  // Reading the body took this turn.
  if (isLargeJson(raw)) await nextTurn();
  noteRequest(caller, operation.name);
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
  const parsed = parseGiven(operation.input, raw);
  const errors = findFieldErrors(operation.input, raw, parsed, context);
  if (!parsed.success || errors.length > 0) throw badFields(errors);
  const output = await operation.run(caller, parsed.data as z.output<Schema>, context);
  // The caller serializes it next.
  if (isLargeJson(output)) await nextTurn();
  return output;
}

/**
 * Lists what is wrong with an input, unknown fields first: a misspelled field explains the required one that is missing
 * because of it. Empty if it can be used.
 * @param parsed the input as its schema read it
 */
export function findFieldErrors(
  schema: z.ZodObject,
  raw: unknown,
  parsed: z.ZodSafeParseResult<unknown>,
  { findUnknownFields }: RequestContext,
): FieldError[] {
  const unknown = findUnknownFields?.(schema, raw) ?? [];
  const wrong = parsed.success ? [] : toFieldErrors(parsed.error);
  const others = wrong.filter(({ code }) => unknown.length === 0 || code !== "unrecognized_keys");
  return [...unknown, ...others];
}

/** Returns BAD_REQUEST with `details` per field. */
export function badFields(details: readonly FieldError[]): ApiError {
  return new ApiError("BAD_REQUEST", `${details[0]?.field}: ${details[0]?.message}`, { details });
}

/** Notes that a caller's request starts or continues, so that the log can name it if it blocks the event loop. */
export function noteRequest(caller: Caller, operation: string): void {
  notePath(caller, operation);
  noteOnSpan({ "signalbox.operation.name": operation });
}

/**
 * Notes a request whose operation is not known yet. Only the log may show the path: spans leave the instance, and a path can
 * contain anything.
 */
export function notePath(caller: Caller, path: string): void {
  const callerId = caller.kind === "api_key" ? caller.keyId : caller.userId;
  noteOnSpan({ "signalbox.workspace.id": caller.workspaceId });
  noteWork({ workspaceId: caller.workspaceId, callerId, operation: path });
}
