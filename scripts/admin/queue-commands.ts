import { z } from "zod";
import { recordAudit } from "#lib/domain/audit/record-audit";
import { getWorkspace } from "#lib/domain/workspaces/get-workspace";
import { listQueues } from "#lib/domain/workspaces/list-queues";
import { setQueue } from "#lib/domain/workspaces/set-queue";
import { queueNameSchema } from "#lib/platform/config/env";
import { transaction } from "#lib/platform/db/pool";
import { listJobs } from "#lib/platform/jobs/list-jobs";
import { ADMIN } from "#scripts/admin/admin-actor";
import { type AdminCommand, adminCommand } from "#scripts/admin/admin-command";

const setQueueInput = z.object({ workspace: z.string(), queue: queueNameSchema });

export const QUEUE_COMMANDS: Record<string, AdminCommand> = {
  "set-queue": adminCommand(setQueueInput, async (input) => {
    const { workspaceId, slug } = await getWorkspace(input.workspace);
    const { queue } = input;
    await transaction(async (tx) => {
      await setQueue(tx, workspaceId, queue);
      const entry = { action: "workspace.queue_set" as const, objectType: "workspace", objectId: workspaceId };
      await recordAudit(tx, { ...entry, workspaceId, actor: ADMIN, details: { queue } });
    });
    const { workers = 0 } = (await listQueues()).find((one) => one.queue === queue) ?? {};
    return { workspace_id: workspaceId, slug, queue, workers };
  }),
  "list-queues": adminCommand(z.object({}), async () => ({ queues: await listQueues() })),
  "list-jobs": adminCommand(z.object({}), async () => ({ jobs: await listJobs() })),
};
