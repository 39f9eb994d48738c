import type { z } from "zod";
import type {
  auditEventSchema,
  createdInviteSchema,
  inviteSchema,
  memberKeysSchema,
  memberSchema,
  membershipSchema,
  membersWithoutTwoStepSchema,
  usageSchema,
  workspaceSettingsSchema,
} from "#lib/contract/workspace/workspace-schema";

/**
 * The header in which a page names the workspace it shows, so that a tab keeps its workspace even if another tab
 * switches.
 */
export const WORKSPACE_HEADER = "x-workspace-id";
/** The workspace that a person is working in, for pages that are opened. Set by `POST /api/workspace`. */
export const WORKSPACE_COOKIE = "signalbox.workspace";

export type MemberObject = z.output<typeof memberSchema>;
export type MemberKeys = z.output<typeof memberKeysSchema>;

/** The members that a workspace keeps out if it requires two-step verification. */
export type MembersWithoutTwoStep = z.output<typeof membersWithoutTwoStepSchema>;

export type InviteObject = z.output<typeof inviteSchema>;

/** Contains the link, which is never shown again. */
export type CreatedInvite = z.output<typeof createdInviteSchema>;

export type WorkspaceSettings = z.output<typeof workspaceSettingsSchema>;

export type UsageObject = z.output<typeof usageSchema>;

/** A workspace that the signed-in person belongs to. */
export type MembershipObject = z.output<typeof membershipSchema>;

export type AuditEventObject = z.output<typeof auditEventSchema>;
