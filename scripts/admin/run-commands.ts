import { z } from "zod";
import { REPLAY_MODES, REPLAY_VERSIONS } from "#lib/contract/run/run";
import { replayRun } from "#lib/domain/runs/create/replay-run";
import { getWorkspaceOf } from "#lib/domain/workspaces/get-workspace";
import { ADMIN } from "#scripts/admin/admin-actor";
import { type AdminCommand, adminCommand } from "#scripts/admin/admin-command";
import { assertKeysFit } from "#scripts/admin/assert-keys-fit";

const replayInput = z.object({
  run_id: z.uuid(),
  mode: z.enum(REPLAY_MODES).optional(),
  step_id: z.string().optional(),
  version: z.enum(REPLAY_VERSIONS).optional(),
});

export const RUN_COMMANDS: Record<string, AdminCommand> = {
  "replay-run": adminCommand(replayInput, async ({ run_id: runId, mode, step_id: stepId, version }) => {
    await assertKeysFit();
    const { workspaceId, plan, ownerId } = await getWorkspaceOf("run", runId);
    return replayRun({
      workspaceId,
      plan,
      runId,
      actionSlugs: null,
      mode,
      stepId,
      version,
      actor: ADMIN,
      userId: ownerId,
    });
  }),
};
