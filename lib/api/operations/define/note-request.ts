import type { Caller } from "#lib/api/operations/define/caller";
import { noteWork } from "#lib/platform/metrics/note-work";
import { noteOnSpan } from "#lib/platform/telemetry/telemetry";

/** Notes that a caller's request starts or continues, so that the log can name it if it blocks the event loop. */
export function noteRequest(caller: Caller, operation: string): void {
  notePath(caller, operation);
  noteOnSpan({ "signalbox.operation.name": operation });
}

/**
 * Notes a request whose operation is not known yet. Only the log may show the path: spans leave the instance, and a path can
 * contain anything.
 */
export function notePath(caller: Caller, path: string): void {
  const callerId = caller.kind === "api_key" ? caller.keyId : caller.userId;
  noteOnSpan({ "signalbox.workspace.id": caller.workspaceId });
  noteWork({ workspaceId: caller.workspaceId, callerId, operation: path });
}
