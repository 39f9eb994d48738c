import { z } from "zod";
import { ACTION_STATUSES } from "#lib/contract/action/action";
import { setActionStatus } from "#lib/domain/actions/set-action-status";
import { getWorkspace } from "#lib/domain/workspaces/get-workspace";
import { ADMIN } from "#scripts/admin/admin-actor";
import { type AdminCommand, adminCommand } from "#scripts/admin/admin-command";

const statusInput = z.object({ workspace: z.string(), slug: z.string(), status: z.enum(ACTION_STATUSES) });

export const ACTION_COMMANDS: Record<string, AdminCommand> = {
  "set-action-status": adminCommand(statusInput, async ({ workspace, slug, status }) => {
    const { workspaceId } = await getWorkspace(workspace);
    return setActionStatus({ workspaceId, slug, status, actor: ADMIN });
  }),
};
