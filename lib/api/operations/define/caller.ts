import type { Plan } from "#lib/contract/plans";
import type { Role } from "#lib/contract/roles";
import type { Scope } from "#lib/contract/scopes";

interface CallerBase {
  workspaceId: string;
  plan: Plan;
  /** Whose runs count: the signed-in user, or the creator of the key (contract, Limits: runs per user). */
  userId: string;
  /** What the audit log and an approval's decided_by show. */
  name: string;
}

export interface KeyCaller extends CallerBase {
  kind: "api_key";
  keyId: string;
  prefix: string;
  scopes: readonly Scope[];
  /** The actions the key is limited to; null is all. */
  actionSlugs: readonly string[] | null;
}

export interface UserCaller extends CallerBase {
  kind: "user";
  role: Role;
  /** Where they are signed in; left out where the cookie names none. */
  sessionId?: string | null;
}

/** Who asks. Made in two places only: `admit` (a key) and `requireSession` (a person). */
export type Caller = KeyCaller | UserCaller;

/** The actions the caller may see; null is every one. A key may be limited to some (decisions, API keys). */
export function visibleActions(caller: Caller): readonly string[] | null {
  return caller.kind === "api_key" ? caller.actionSlugs : null;
}

/** What of the request, beside its input, an operation may need. */
export interface RequestContext {
  requestId: string;
  correlationId?: string;
  idempotencyKey?: string;
  traceparent?: string;
  /** How long the answer may wait for what was asked (REST: `Prefer: wait=N`). */
  waitSeconds?: number;
  /** Filled by the operation: what the answer says beside its body. A surface without headers leaves it out. */
  answerHeaders?: Record<string, string>;
  /** Filled by the operation where its HTTP status depends on what came of it. A surface without statuses leaves it out. */
  answerStatus?: 200 | 202;
}
