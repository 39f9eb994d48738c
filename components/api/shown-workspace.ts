import type { SessionObject } from "#lib/contract/web/web";
import { currentReader } from "#lib/support/format/reader";

type Workspace = SessionObject["workspace"];

let shown: Workspace | null = null;

/** Called by the signed-in pages: from here on every request says which workspace it means. */
export function showWorkspace(workspace: Workspace): void {
  shown = workspace;
}

/** Null outside the signed-in pages. */
export function shownWorkspaceId(): string | null {
  return shown?.workspace_id ?? null;
}

/** The zone in which new schedules begin; outside a workspace the viewer's own. */
export function shownTimeZone(): string {
  return shown?.time_zone ?? ownTimeZone();
}

/** The viewer's own zone. */
export function ownTimeZone(): string {
  return currentReader().timeZone;
}
