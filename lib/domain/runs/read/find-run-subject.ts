import { prisma } from "#lib/platform/db/prisma";
import { UUID_PATTERN } from "#lib/support/ids";

/** Returns the slug of the action that a run of the workspace executes, or its workflow's name; null without a run. */
export async function findRunSubject(workspaceId: string, runId: string): Promise<string | null> {
  if (!UUID_PATTERN.test(runId)) return null;
  const run = await prisma().run.findFirst({
    where: { id: runId, workspaceId },
    select: { actionSlug: true, workflow: { select: { name: true } } },
  });
  return run === null ? null : (run.actionSlug ?? run.workflow.name);
}
