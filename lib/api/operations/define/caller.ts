import type { z } from "zod";
import type { FieldError } from "#lib/contract/error/api-error";
import type { Scope } from "#lib/contract/key/scopes";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Plan } from "#lib/contract/workspace/plans";
import { hasRole, type Role } from "#lib/contract/workspace/roles";
import type { RateWindow } from "#lib/domain/limits/take-request";
import type { FoundRun } from "#lib/domain/runs/read/find-run";

interface CallerBase {
  workspaceId: string;
  plan: Plan;
  /**
   * The user that runs are counted against: the signed-in user, or the creator of the key (contract, Limits: runs per
   * user).
   */
  userId: string;
  /** The name that the audit log and an approval's decided_by show. */
  name: string;
}

export interface KeyCaller extends CallerBase {
  kind: "api_key";
  keyId: string;
  prefix: string;
  scopes: readonly Scope[];
  /** The actions the key is limited to; null means all actions. */
  actionSlugs: readonly string[] | null;
}

export interface UserCaller extends CallerBase {
  kind: "user";
  role: Role;
  /** The browser session; left out if the cookie names none. */
  sessionId?: string | null;
}

/** The caller of an operation. Created in two places only: `admit` (a key) and `requireSession` (a user). */
export type Caller = KeyCaller | UserCaller;

/** Returns the caller's browser session. Only a signed-in user has one. */
export function sessionOf(caller: Caller): string | null {
  return caller.kind === "user" ? (caller.sessionId ?? null) : null;
}

/**
 * Returns the actions the caller may see; null means all actions. A key can be limited to some (decisions, API keys).
 */
export function visibleActions(caller: Caller): readonly string[] | null {
  return caller.kind === "api_key" ? caller.actionSlugs : null;
}

/**
 * Whether the caller sees the secrets that people typed into a definition: editors, who work with them, and no key
 * (decisions, Secrets in definitions).
 */
export function canReadSecrets(caller: Caller): boolean {
  return caller.kind === "user" && hasRole(caller.role, "editor");
}

/** Returns how long the caller waits for a run. The waits of a key, or of a user, share a budget. */
export function waitingOf(caller: Caller, seconds: number): { callerId: string; timeoutMs: number } {
  return { callerId: caller.kind === "api_key" ? caller.keyId : caller.userId, timeoutMs: seconds * 1_000 };
}

/** The forms of an answer over MCP (decisions, MCP): short leaves out what an agent rarely needs next. */
export const ANSWER_VIEWS = ["full", "short"] as const;
export type AnswerView = (typeof ANSWER_VIEWS)[number];

/** What the address of the MCP endpoint and the key choose for an agent. */
export interface AgentContext {
  /** The form of answers to calls that name none. */
  view: AnswerView;
  /** The tools that its list does not have. No text for it names them. */
  hiddenTools: ReadonlySet<string>;
}

/** What makes a call recognizable if it is repeated. */
export interface RepeatKey {
  key: string;
  /** The operation that was called. It may call others. */
  operation: string;
  /** What the caller asked for. */
  payload: JsonObject;
}

/** The parts of the request that an operation may need in addition to its input. */
export interface RequestContext {
  requestId: string;
  correlationId?: string;
  idempotencyKey?: string;
  /** The idempotency key of a call that creates something (`Operation.creates`). */
  repeat?: RepeatKey;
  traceparent?: string;
  /** How long the operation may wait for the result (REST: `Prefer: wait=N`). */
  waitSeconds?: number;
  /** The entity tags of answers that the caller has (REST: `If-None-Match`). */
  knownTags?: string;
  /**
   * Finds the fields that the operation does not know, which are errors. Null on the runtime API, which ignores them and
   * does not load the code. A surface has to say which.
   */
  findUnknownFields: ((schema: z.ZodObject, value: unknown) => FieldError[]) | null;
  /** Present for MCP. */
  agent?: AgentContext;
  /** The run of the path, if it was read together with the request's budget (`RestBinding.take`). */
  foundRun?: FoundRun | null;
  /** What is left of the key's requests. */
  window?: RateWindow;
  /** Response headers, set by the operation. A surface without headers ignores them. */
  answerHeaders?: Record<string, string>;
  /**
   * HTTP status, set by the operation if it depends on the result. A surface without statuses ignores it. An answer with
   * 304 has no body.
   */
  answerStatus?: 200 | 202 | 304;
}
