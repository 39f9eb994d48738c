import type { SavedView, SavedViewSettings } from "#lib/contract/run/run-list";
import { findOwnView } from "#lib/domain/runs/views/find-own-view";
import { presentSavedView, type ViewCaller, viewNameTaken } from "#lib/domain/runs/views/saved-view-row";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import { prismaTransaction } from "#lib/platform/db/prisma";

interface ViewChanges {
  name?: string | undefined;
  settings?: SavedViewSettings | undefined;
}

/**
 * Renames a view or replaces what it shows.
 * @throws ApiError NOT_FOUND, also for another person's view; FORBIDDEN if someone below editor changes a shared view;
 * BAD_REQUEST for a name that is taken
 */
export async function updateSavedView(
  caller: ViewCaller,
  viewId: string,
  { name, settings }: ViewChanges,
): Promise<SavedView> {
  try {
    return await prismaTransaction(async (tx) => {
      const { id } = await findOwnView(tx.prisma, caller, viewId);
      const data = { ...(name === undefined ? {} : { name }), ...(settings === undefined ? {} : { settings }) };
      return presentSavedView(
        await tx.prisma.savedView.update({
          where: { workspaceId: caller.workspaceId, id },
          data: { ...data, updatedAt: new Date() },
        }),
      );
    });
  } catch (error) {
    if (name !== undefined && isDatabaseFault(error, "unique_violation")) throw viewNameTaken(name);
    throw error;
  }
}
