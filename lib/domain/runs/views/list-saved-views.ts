import type { SavedView } from "#lib/contract/run/run-list";
import { presentSavedView } from "#lib/domain/runs/views/saved-view-row";
import { prisma } from "#lib/platform/db/prisma";

/** Lists the person's own views and those of the workspace, by name. */
export async function listSavedViews(workspaceId: string, userId: string): Promise<SavedView[]> {
  const rows = await prisma().savedView.findMany({
    where: { workspaceId, OR: [{ userId }, { userId: null }] },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
  return rows.map(presentSavedView);
}
