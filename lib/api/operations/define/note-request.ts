import type { Caller } from "#lib/api/operations/define/caller";
import { noteWork } from "#lib/platform/metrics/note-work";
import { noteOnSpan } from "#lib/platform/telemetry/telemetry";

/**
 * Notes that a caller's request starts or continues, so that the log can name it if it blocks the event loop.
 * @param name of the operation, or the route if the operation is not known yet
 */
export function noteRequest(caller: Caller, name: string): void {
  const callerId = caller.kind === "api_key" ? caller.keyId : caller.userId;
  noteOnSpan({ "signalbox.workspace.id": caller.workspaceId, "signalbox.operation.name": name });
  noteWork({ workspaceId: caller.workspaceId, callerId, operation: name });
}
