import type { Caller } from "#lib/api/operations/define/caller";
import { isProduction } from "#lib/platform/config/is-production";
import { noteWork } from "#lib/platform/metrics/note-work";
import { watchEventLoop } from "#lib/platform/metrics/watch-event-loop";

/**
 * Notes that a caller's request starts or continues, so that the log can name it if it blocks the event loop. The first
 * request starts the watch. A development server also compiles pages in its event loop, so it has no watch.
 * @param name of the operation, or the route if the operation is not known yet
 */
export function noteRequest(caller: Caller, name: string): void {
  if (isProduction()) watchEventLoop("web");
  const callerId = caller.kind === "api_key" ? caller.keyId : caller.userId;
  noteWork({ workspaceId: caller.workspaceId, callerId, operation: name });
}
