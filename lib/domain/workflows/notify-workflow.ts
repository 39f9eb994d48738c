import { z } from "zod";
import type { WorkflowNotice } from "#lib/contract/web/presence";
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
 * Tells the pages of a workspace, in every web process. Called after the commit, as runs are told of; a notice that is
 * lost costs a page the news, not the truth: a save still meets its revision.
 */
export async function notifyWorkflow(workspaceId: string, notice: WorkflowNotice): Promise<void> {
  try {
    const payload = `${workspaceId} ${JSON.stringify(notice)}`;
    await sendNotice.run(db(), { channel: WORKFLOWS_CHANNEL, payload });
  } catch (error) {
    log.debug({ err: error }, "a notice of a workflow was lost");
  }
}

/** Null for what is no notice. */
export function parseWorkflowNotice(payload: string): { workspaceId: string; notice: WorkflowNotice } | null {
  const at = payload.indexOf(" ");
  try {
    const notice = noticeSchema.parse(JSON.parse(payload.slice(at + 1)));
    return { workspaceId: payload.slice(0, at), notice };
  } catch {
    return null;
  }
}
