import type { ActionActivity, ActionDetailObject, ActionObject, ActionStatus } from "#lib/contract/action";
import type { ApprovalOperations, Decision } from "#lib/contract/approval";
import type { ConnectionOperations } from "#lib/contract/connection";
import type { ConnectorOperations } from "#lib/contract/connector";
import type { Definition } from "#lib/contract/graph";
import type { JournalEventObject } from "#lib/contract/journal";
import type { JsonObject } from "#lib/contract/json-schema";
import type { EventOperations } from "#lib/contract/outbound-event";
import type { Page } from "#lib/contract/page";
import type { Plan } from "#lib/contract/plans";
import type { Role } from "#lib/contract/roles";
import type { ReplayMode, RunObject, StepsView } from "#lib/contract/run";
import type { Scope } from "#lib/contract/scopes";
import type { DeliveryObject, EventTestObject, TriggerObject, TriggerStatus } from "#lib/contract/trigger";
import type { AccountOperations } from "#lib/contract/web/account";
import type { KeyUsageOperations } from "#lib/contract/web/key-usage";
import type { PresenceOperations } from "#lib/contract/web/presence";
import type { RunUsageOperations } from "#lib/contract/web/run-usage";
import type { WorkflowOperations } from "#lib/contract/web/web-workflows";
import type { WorkspaceOperations } from "#lib/contract/workspace";

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

/** Everything the browser asks the server for: name, input and output of each operation of `POST /api/web/:operation`. */
export interface WebOperations
  extends WorkflowOperations,
    ConnectionOperations,
    ConnectorOperations,
    PresenceOperations,
    ApprovalOperations,
    EventOperations,
    RunUsageOperations,
    WorkspaceOperations,
    AccountOperations,
    KeyUsageOperations {
  get_session: { input: Record<string, never>; output: SessionObject };

  /** Null before the first activation, and for callable workflows. */
  get_trigger: { input: { workflow_id: string }; output: { trigger: TriggerObject | null } };
  set_trigger_status: { input: { workflow_id: string; status: TriggerStatus }; output: TriggerObject };
  fire_schedule: { input: { workflow_id: string }; output: RunObject };
  list_deliveries: {
    input: { workflow_id: string; limit?: number; cursor?: string };
    output: Page<DeliveryObject>;
  };
  redeliver_event: { input: { delivery_id: string }; output: { run_id: string } };
  /** Of the draft's webhook: listens for one event for two minutes, looks, or stops waiting. */
  start_event_test: { input: { workflow_id: string }; output: EventTestObject };
  get_event_test: { input: { workflow_id: string }; output: { test: EventTestObject | null } };
  stop_event_test: { input: { workflow_id: string }; output: { test: EventTestObject | null } };
  /** `sealed` is what the definition holds; the secret itself is not shown again. Without one given, one is made. */
  seal_secret: { input: { secret?: string }; output: { secret: string; sealed: string } };

  list_actions: {
    input: { status?: ActionStatus | "all"; q?: string; limit?: number; cursor?: string };
    output: Page<ActionObject>;
  };
  list_action_activity: { input: { slugs: string[] }; output: { days: number; data: ActionActivity[] } };
  get_action: { input: { slug: string }; output: ActionDetailObject };
  set_action_status: { input: { slug: string; status: ActionStatus }; output: ActionDetailObject };
  run_action: { input: { slug: string; input?: JsonObject; dry_run?: boolean }; output: RunObject };

  list_runs: {
    input: {
      action_slug?: string;
      workflow_id?: string;
      status?: string;
      source?: string;
      version?: number;
      api_key_id?: string;
      error_text?: string;
      correlation_id?: string;
      resume_from_run_id?: string;
      created_after?: string;
      created_before?: string;
      order?: "asc" | "desc";
      limit?: number;
      cursor?: string;
    };
    output: Page<RunObject>;
  };
  get_run_status: { input: { run_id: string; steps?: StepsView; include?: string }; output: RunObject };
  approve_run: {
    input: { run_id: string; decision?: Decision; comment?: string; approval_id?: string };
    output: RunObject;
  };
  cancel_run: { input: { run_id: string }; output: RunObject };
  /** Of an ended run. What of `input` is left as it was shown keeps its real value, redacted or not. */
  replay_run: {
    input: { run_id: string; mode?: ReplayMode; step_id?: string; input?: JsonObject };
    output: RunObject;
  };

  /** At most a hundred; each is cancelled, or replayed as is usual for how it ended, by itself. */
  cancel_runs: { input: { run_ids: string[] }; output: { data: RunChange[] } };
  replay_runs: { input: { run_ids: string[] }; output: { data: RunChange[] } };
  /** `occurrence`: which of the items that the timeline has of the step, from 0. */
  get_run_step: { input: { run_id: string; step_id: string; occurrence?: number }; output: StepDetailObject };
  get_run_graph: { input: { run_id: string }; output: RunGraphObject };

  list_keys: { input: { limit?: number; cursor?: string }; output: KeyListObject };
  create_key: {
    input: { name: string; scopes?: Scope[]; expires_at?: string; action_slugs?: string[] };
    output: CreatedKey;
  };
  rotate_key: { input: { key_id: string; keep_original?: boolean }; output: CreatedKey };
  keep_both_keys: { input: { key_id: string }; output: KeyObject };
  revoke_key: { input: { key_id: string }; output: KeyObject };
}
