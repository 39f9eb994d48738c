import { ApiError } from "#lib/contract/error/api-error";
import type { SavedView, SavedViewSettings } from "#lib/contract/run/run-list";
import { savedViewSettingsSchema } from "#lib/contract/run/run-list-schema";

interface SavedViewRow {
  id: string;
  userId: string | null;
  name: string;
  settings: unknown;
}

const NO_SETTINGS: SavedViewSettings = { filters: {}, columns: [], order: "desc" };

/** A view of an older release may name a filter or column that is gone; it then shows the plain list. */
export function presentSavedView({ id, userId, name, settings }: SavedViewRow): SavedView {
  const read = savedViewSettingsSchema.safeParse(settings);
  return { view_id: id, name, is_shared: userId === null, settings: read.data ?? NO_SETTINGS };
}

/** The person who asks, with their role at the time of the request. */
export interface ViewCaller {
  workspaceId: string;
  userId: string;
  isEditor: boolean;
}

export function savedViewNotFound(): ApiError {
  return new ApiError("NOT_FOUND", "There is no such view.");
}

export function viewNameTaken(name: string): ApiError {
  const message = `there is already a view named ${name}`;
  const details = [{ field: "name", pointer: "/name", code: "taken", message }];
  return new ApiError("BAD_REQUEST", `name: ${message}`, { details });
}

/** @throws ApiError FORBIDDEN */
export function assertMayShare({ isEditor }: ViewCaller): void {
  if (isEditor) return;
  throw new ApiError("role_too_low", "You need the editor role or higher to change views of the workspace.", {
    details: { required_role: "editor" },
  });
}
