import type { z } from "zod";
import type {
  auditEventSchema,
  createdInviteSchema,
  inviteSchema,
  memberSchema,
  membershipSchema,
  usageSchema,
  workspaceSettingsSchema,
} from "#lib/contract/schemas/workspace-schema";

/** The header with which a page says which workspace it shows: a tab stays in it, whatever another one switched to. */
export const WORKSPACE_HEADER = "x-workspace-id";
/** Which of their workspaces a person acts in, for pages that are opened. Set by `POST /api/workspace`. */
export const WORKSPACE_COOKIE = "signalbox.workspace";

export type MemberObject = z.output<typeof memberSchema>;

export type InviteObject = z.output<typeof inviteSchema>;

/** The link appears here and never again. */
export type CreatedInvite = z.output<typeof createdInviteSchema>;

export type WorkspaceSettings = z.output<typeof workspaceSettingsSchema>;

export type UsageObject = z.output<typeof usageSchema>;

/** A workspace the signed-in person belongs to. */
export type MembershipObject = z.output<typeof membershipSchema>;

export type AuditEventObject = z.output<typeof auditEventSchema>;
