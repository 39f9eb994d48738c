import type { Definition } from "#lib/contract/graph";
import type { JournalEventObject } from "#lib/contract/journal";
import type { Page } from "#lib/contract/page";
import type { Plan } from "#lib/contract/plans";
import type { Role } from "#lib/contract/roles";
import type { Scope } from "#lib/contract/scopes";

/** An API key as the web application shows it. The raw key appears only in CreatedKey. */
export interface KeyObject {
  key_id: string;
  name: string;
  prefix: string;
  scopes: Scope[];
  action_slugs: string[] | null;
  status: "active" | "expired" | "revoked";
  created_by: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  /** The key whose place it is to take; null once that one is revoked, or both are to stay. */
  replaces: { key_id: string; prefix: string; last_used_at: string | null } | null;
}

export interface CreatedKey extends KeyObject {
  raw_key: string;
}

export interface KeyListObject extends Page<KeyObject> {
  quota: { used: number; limit: number | null; plan: Plan };
}

export interface SessionObject {
  user: { user_id: string; name: string; email: string };
  workspace: { workspace_id: string; slug: string; name: string; plan: Plan; time_zone: string };
  role: Role;
  /** {base_url} of the contract: where the runtime API and the MCP server are reached. */
  base_url: string;
}

/** What came of one run of several that were to be changed. */
export interface RunChange {
  run_id: string;
  /** unchanged: it had ended before. */
  outcome: "cancelled" | "replayed" | "unchanged" | "refused";
  /** The replay. */
  new_run_id: string | null;
  /** Why it was refused. */
  code: string | null;
  error: string | null;
}

/** What a timeline leaves out or cuts: the payloads of one step, and its part of the journal without them. */
export interface StepDetailObject {
  input: unknown;
  output: unknown;
  events: JournalEventObject[];
}

/** The graph that a run executed, never today's draft. */
export interface RunGraphObject {
  workflow_name: string;
  /** The workflow was deleted since: there is no draft to open and nothing to call. */
  is_deleted: boolean;
  /** Null for a test of a draft. */
  version: number | null;
  definition: Definition;
  /** Edges that the run went along, in any iteration. */
  taken_edges: string[];
  /** Of the steps that were tried more than once, in order. `failed_after_ms` is null of the last, and where unknown. */
  attempts: {
    step_id: string;
    iteration: string;
    attempt: number;
    started_at: string;
    failed_after_ms: number | null;
  }[];
  /** Who started it. Null where nobody did, or where it is no longer known. */
  started_by: { key_prefix: string | null; name: string } | null;
  parent_run_id: string | null;
}
