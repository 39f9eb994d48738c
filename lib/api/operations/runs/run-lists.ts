import { z } from "zod";
import { type Caller, visibleActions } from "#lib/api/operations/define/caller";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { runFiltersInput, toRunFilters } from "#lib/api/operations/define/run-filters-input";
import { LIMITS } from "#lib/contract/limits";
import { errorGroupsSchema, runCallerSchema, savedViewSchema } from "#lib/contract/run/run-list-schema";
import { savedViewChangesInput, savedViewInput } from "#lib/contract/run/saved-view-inputs";
import { wireListOf } from "#lib/contract/wire/wire-values";
import { hasRole } from "#lib/contract/workspace/roles";
import { listErrorGroups } from "#lib/domain/runs/read/list-error-groups";
import { listRunCallers } from "#lib/domain/runs/read/list-run-callers";
import { createSavedView } from "#lib/domain/runs/views/create-saved-view";
import { deleteSavedView } from "#lib/domain/runs/views/delete-saved-view";
import { listSavedViews } from "#lib/domain/runs/views/list-saved-views";
import type { ViewCaller } from "#lib/domain/runs/views/saved-view-row";
import { updateSavedView } from "#lib/domain/runs/views/update-saved-view";

function viewerOf(caller: Caller): ViewCaller {
  const { workspaceId, userId } = caller;
  return { workspaceId, userId, isEditor: caller.kind === "user" && hasRole(caller.role, "editor") };
}

const listErrorGroupsOperation = defineOperation({
  name: "list_error_groups",
  title: "List error groups",
  description: "Groups the errors of runs that differ only in ids and numbers, the largest groups first.",
  scope: "web",
  role: "viewer",
  input: z.object(runFiltersInput),
  output: errorGroupsSchema,
  run: (caller, input) =>
    listErrorGroups({ ...toRunFilters(input), workspaceId: caller.workspaceId, actionSlugs: visibleActions(caller) }),
});

const listRunCallersOperation = defineOperation({
  name: "list_run_callers",
  title: "List callers of runs",
  description: "Returns who or what started each of several runs.",
  scope: "web",
  role: "viewer",
  input: z.object({ run_ids: z.array(z.uuid()).max(LIMITS.pageSizeMax) }),
  output: wireListOf(runCallerSchema),
  run: async (caller, input) => ({ data: await listRunCallers(caller.workspaceId, input.run_ids) }),
});

const listSavedViewsOperation = defineOperation({
  name: "list_saved_views",
  title: "List saved views",
  description: "Lists the views of the list of runs that the person or the workspace saved.",
  scope: "web",
  role: "viewer",
  input: z.object({}),
  output: wireListOf(savedViewSchema),
  run: async (caller) => ({ data: await listSavedViews(caller.workspaceId, caller.userId) }),
});

const createSavedViewOperation = defineOperation({
  name: "create_saved_view",
  title: "Save view",
  description: "Saves a view of the list of runs for the person, or for everyone in the workspace.",
  scope: "web",
  role: "viewer",
  input: savedViewInput,
  output: savedViewSchema,
  run: (caller, { name, is_shared: isShared, settings }) =>
    createSavedView(viewerOf(caller), { name, isShared, settings }),
});

const updateSavedViewOperation = defineOperation({
  name: "update_saved_view",
  title: "Update saved view",
  description: "Renames a saved view or replaces what it shows.",
  scope: "web",
  role: "viewer",
  input: savedViewChangesInput,
  output: savedViewSchema,
  run: (caller, { view_id: viewId, ...changes }) => updateSavedView(viewerOf(caller), viewId, changes),
});

const deleteSavedViewOperation = defineOperation({
  name: "delete_saved_view",
  title: "Delete saved view",
  description: "Deletes a saved view.",
  scope: "web",
  role: "viewer",
  input: z.object({ view_id: z.uuid() }),
  output: z.object({}),
  run: async (caller, { view_id: viewId }) => {
    await deleteSavedView(viewerOf(caller), viewId);
    return {};
  },
});

/** What the list of runs in the web application offers besides the list itself. */
export const RUN_LIST_OPERATIONS = [
  listErrorGroupsOperation,
  listRunCallersOperation,
  listSavedViewsOperation,
  createSavedViewOperation,
  updateSavedViewOperation,
  deleteSavedViewOperation,
] as const;
