import { z } from "zod";
import type { WorkflowNotice } from "#lib/contract/workflow/presence";
import { log } from "#lib/platform/config/log";
import { text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const noticeSchema: z.ZodType<WorkflowNotice> = z.object({
  workflow_id: z.string(),
  kind: z.enum(["here", "left", "changed"]),
  actor: z.object({ type: z.enum(["user", "api_key"]), id: z.string(), name: z.string() }),
  client_id: z.string().nullable(),
  revision: z.number().nullable(),
});

/** `<workspace_id> <notice as JSON>`. */
export const WORKFLOWS_CHANNEL = "workflow_notices";

const sendNotice = defineStatement({
  name: "notify_workflow",
  params: { channel: text, payload: text },
  sql: "select pg_notify($1, $2)",
});

/**
 * Notifies the pages of a workspace, in every web process. Called after the commit, like notices of runs. If a notice
 * is lost, a page shows the change later, but nothing breaks: each save still checks its revision.
 */
export async function notifyWorkflow(workspaceId: string, notice: WorkflowNotice): Promise<void> {
  try {
    const payload = `${workspaceId} ${JSON.stringify(notice)}`;
    await sendNotice.run(db(), { channel: WORKFLOWS_CHANNEL, payload });
  } catch (error) {
    log.debug({ err: error }, "a notice of a changed workflow was lost");
  }
}

/** Returns null for a payload that is not a notice. */
export function parseWorkflowNotice(payload: string): { workspaceId: string; notice: WorkflowNotice } | null {
  const at = payload.indexOf(" ");
  try {
    const notice = noticeSchema.parse(JSON.parse(payload.slice(at + 1)));
    return { workspaceId: payload.slice(0, at), notice };
  } catch {
    return null;
  }
}
