import { findOwnView } from "#lib/domain/runs/views/find-own-view";
import { savedViewNotFound, type ViewCaller } from "#lib/domain/runs/views/saved-view-row";
import { prisma } from "#lib/platform/db/prisma";

/**
 * Deletes a view.
 * @throws ApiError NOT_FOUND, also for another person's view; FORBIDDEN if someone below editor deletes a shared view
 */
export async function deleteSavedView(caller: ViewCaller, viewId: string): Promise<void> {
  const { id } = await findOwnView(prisma(), caller, viewId);
  const { count } = await prisma().savedView.deleteMany({ where: { workspaceId: caller.workspaceId, id } });
  if (count === 0) throw savedViewNotFound();
}
