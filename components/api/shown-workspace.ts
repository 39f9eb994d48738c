import type { SessionObject } from "#lib/contract/wire/web";
import { currentReader } from "#lib/support/format/reader";

type Workspace = SessionObject["workspace"];

let shown: Workspace | null = null;

/** Sets the workspace that all further requests name. Called by the signed-in pages. */
export function showWorkspace(workspace: Workspace): void {
  shown = workspace;
}

/** Null outside the signed-in pages. */
export function shownWorkspaceId(): string | null {
  return shown?.workspace_id ?? null;
}

/** Returns the zone that new schedules start with; outside a workspace, the user's own. */
export function shownTimeZone(): string {
  return shown?.time_zone ?? ownTimeZone();
}

/** Returns the user's own zone. */
export function ownTimeZone(): string {
  return currentReader().timeZone;
}
