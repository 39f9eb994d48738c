import type { z } from "zod";
import type { actionActivitySchema, actionDetailSchema, actionSchema } from "#lib/contract/action/action-schema";

/** contract, Action. */
export const ACTION_STATUSES = ["active", "paused", "archived"] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];

/** decisions, Actions: active <-> paused, either -> archived, archived -> paused. */
export const ACTION_TRANSITIONS: Record<ActionStatus, readonly ActionStatus[]> = {
  active: ["paused", "archived"],
  paused: ["active", "archived"],
  archived: ["paused"],
};

/** The contract defines `always`; the decisions define the other value. */
export const APPROVAL_POLICIES = ["never", "always"] as const;
export type ApprovalPolicy = (typeof APPROVAL_POLICIES)[number];

/** decisions, Actions: lowercase letters, digits and inner hyphens, 1 to 64 characters. */
export const SLUG_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** A published action on the wire. */
export type ActionObject = z.output<typeof actionSchema>;
/** A published action with example inputs and its latest releases. */
export type ActionDetailObject = z.output<typeof actionDetailSchema>;

/** The number and duration of an action's calls in the last days. */
export type ActionActivity = z.output<typeof actionActivitySchema>;
