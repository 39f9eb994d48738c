import { assertMayShare, savedViewNotFound, type ViewCaller } from "#lib/domain/runs/views/saved-view-row";
import type { PrismaDb } from "#lib/platform/db/prisma";

/**
 * Returns a view that the person may change: their own, or one of the workspace for an editor.
 * @throws ApiError NOT_FOUND, also for another person's view; FORBIDDEN
 */
export async function findOwnView(prisma: PrismaDb, caller: ViewCaller, viewId: string): Promise<{ id: string }> {
  const { workspaceId, userId } = caller;
  const view = await prisma.savedView.findFirst({
    where: { id: viewId, workspaceId, OR: [{ userId }, { userId: null }] },
    select: { id: true, userId: true },
  });
  if (view === null) throw savedViewNotFound();
  if (view.userId === null) assertMayShare(caller);
  return view;
}
