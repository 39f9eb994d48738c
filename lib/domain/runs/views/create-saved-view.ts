import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { SavedView, SavedViewSettings } from "#lib/contract/run/run-list";
import {
  assertMayShare,
  presentSavedView,
  type ViewCaller,
  viewNameTaken,
} from "#lib/domain/runs/views/saved-view-row";
import { lockWorkspace } from "#lib/domain/workspaces/lock-workspace";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import { prismaTransaction } from "#lib/platform/db/prisma";
import { uuidv7 } from "#lib/support/ids";

interface NewView {
  name: string;
  /** True for a view of the workspace, which everyone in it sees. */
  isShared: boolean;
  settings: SavedViewSettings;
}

/**
 * Saves a view of the list of runs, for the person or for the workspace.
 * @throws ApiError FORBIDDEN if someone below editor shares a view; BAD_REQUEST for a name that is taken, or beyond the
 * limit
 */
export async function createSavedView(caller: ViewCaller, { name, isShared, settings }: NewView): Promise<SavedView> {
  if (isShared) assertMayShare(caller);
  const { workspaceId } = caller;
  const userId = isShared ? null : caller.userId;
  try {
    return await prismaTransaction(async (tx) => {
      // Two views at the same moment would both see room for one more.
      await lockWorkspace(tx, workspaceId);
      const count = await tx.prisma.savedView.count({ where: { workspaceId, userId } });
      if (count >= LIMITS.savedViews) {
        throw new ApiError("BAD_REQUEST", `You can save at most ${LIMITS.savedViews} views. Delete one first.`);
      }
      const row = await tx.prisma.savedView.create({ data: { id: uuidv7(), workspaceId, userId, name, settings } });
      return presentSavedView(row);
    });
  } catch (error) {
    if (isDatabaseFault(error, "unique_violation")) throw viewNameTaken(name);
    throw error;
  }
}
