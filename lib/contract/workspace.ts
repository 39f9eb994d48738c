import type { JsonObject } from "#lib/contract/json-schema";
import type { Plan } from "#lib/contract/plans";
import type { Role } from "#lib/contract/roles";

/** The header with which a page says which workspace it shows: a tab stays in it, whatever another one switched to. */
export const WORKSPACE_HEADER = "x-workspace-id";
/** Which of their workspaces a person acts in, for pages that are opened. Set by `POST /api/workspace`. */
export const WORKSPACE_COOKIE = "signalbox.workspace";

export interface MemberObject {
  user_id: string;
  name: string;
  email: string;
  role: Role;
  joined_at: string;
  /** Keys they created that still open something; those outlive a membership. */
  active_keys: number;
}

export interface InviteObject {
  invite_id: string;
  email: string;
  role: Role;
  invited_by: string | null;
  created_at: string;
  expires_at: string;
  status: "open" | "expired";
  /** Null: nobody mails it, where no mail server was set when it was made. */
  mail: "waiting" | "sent" | "failed" | null;
  /** What the mail server said to the last attempt, if it refused. */
  mail_error: string | null;
}

/** The link appears here and never again. */
export interface CreatedInvite extends InviteObject {
  link: string;
}

export interface WorkspaceSettings {
  workspace_id: string;
  slug: string;
  name: string;
  plan: Plan;
  time_zone: string;
  forbid_self_approval: boolean;
  /** Null: as the instance keeps them. */
  run_retention_days: number | null;
  /** What null means; 0 keeps runs for good. */
  default_retention_days: number;
  created_at: string;
}

/** Something of which there is so much; a limit of null is none. */
interface Spent {
  used: number;
  limit: number | null;
}

export interface UsageObject {
  plan: Plan;
  /** First day of the calendar month in UTC. */
  month: string;
  /** Without a limit they are counted up to 100,000. */
  runs: Spent;
  /** Of the person who asks, in the last hour, in every workspace. */
  own_runs: Spent;
  keys: Spent;
  members: number;
  /** Per key and 60 seconds. */
  requests_per_window: number | null;
}

/** A workspace the signed-in person belongs to. */
export interface MembershipObject {
  workspace_id: string;
  slug: string;
  name: string;
  plan: Plan;
  role: Role;
}

export interface AuditEventObject {
  event_id: string;
  at: string;
  actor: { type: "user" | "api_key" | "system"; id: string | null; name: string | null };
  /** noun.verb_in_the_past */
  action: string;
  object_type: string;
  object_id: string | null;
  details: JsonObject;
}
