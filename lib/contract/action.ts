import type { InputSchema, JsonObject, OutputSchema } from "#lib/contract/json-schema";

/** contract, Action. */
export const ACTION_STATUSES = ["active", "paused", "archived"] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];

/** decisions, Action object: active <-> paused, either -> archived, archived -> paused. */
export const ACTION_TRANSITIONS: Record<ActionStatus, readonly ActionStatus[]> = {
  active: ["paused", "archived"],
  paused: ["active", "archived"],
  archived: ["paused"],
};

/** contract names `always`; decisions name the other. */
export const APPROVAL_POLICIES = ["never", "always"] as const;
export type ApprovalPolicy = (typeof APPROVAL_POLICIES)[number];

/** decisions, Action object: lower-case letters, digits and inner hyphens, 1 to 64 characters. */
export const SLUG_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** The published action on the wire. */
export interface ActionObject {
  slug: string;
  name: string;
  description: string | null;
  status: ActionStatus;
  approval_policy: ApprovalPolicy;
  release_version: number;
  workflow_id: string;
  inputSchema: InputSchema;
  outputSchema: OutputSchema | null;
  created_at: string;
  updated_at: string;
}

/** What an action's calls of the last days came to. */
export interface ActionActivity {
  slug: string;
  calls: number;
  /** There were more than were counted. */
  has_more: boolean;
  /** Failed and timed out, of the runs that ended by themselves; null where none did. */
  error_rate: number | null;
  /** From start to end; 95 of 100 runs took no longer. */
  p95_ms: number | null;
}

export interface ActionDetailObject extends ActionObject {
  /** Up to three inputs that satisfy the schema. */
  examples: JsonObject[];
  /** The last ten releases, newest first. */
  releases: { version: number; deployed_at: string; breaking: boolean }[];
}
