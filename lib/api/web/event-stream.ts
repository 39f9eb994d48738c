import { webErrorResponse } from "#lib/api/admission/web-response";
import { findSession, requireSession } from "#lib/api/auth/session";
import type { UserCaller } from "#lib/api/operations/define/caller";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { watchRuns } from "#lib/domain/runs/notify/watch-runs";
import { webClosing } from "#lib/platform/config/web-shutdown";
import { uuidv7 } from "#lib/support/ids";
import { shareInProcess } from "#lib/support/share-in-process";

/** Proxies close an idle connection. */
const HEARTBEAT_MS = 15_000;
/** A stream outlives the request that checked the session, so the session is checked again. */
const HEARTBEATS_PER_CHECK = 4;
/** A reader this many messages behind is disconnected. It reconnects and reloads its data. */
const MAX_UNREAD = 1_000;
const RECONNECT_MS = 2_000;
/** A refused page tries again later, by itself or when it is used. */
const RETRY_AFTER_SECONDS = 30;
/** The open streams of each user in this process. */
const streams = shareInProcess("eventStreams", () => new Map<string, number>());

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store, no-transform",
  // Prevents nginx from buffering the events.
  "x-accel-buffering": "no",
};

/**
 * Serves `GET /api/stream`: changes in the workspace while a page is open. Events: `run_changed` `{run_id}`;
 * `workflow_notice` (contract/presence): who opened or changed a workflow; `resync` `{}` if changes may have been
 * missed, so that the page reloads its data.
 */
export async function eventStream(request: Request): Promise<Response> {
  const requestId = uuidv7();
  try {
    const caller = await requireSession(request.headers, { shownWorkspaceId: shownWorkspaceOf(request) });
    assertMayOpen(caller.userId);
    const stream = await openStream(caller, request);
    return new Response(stream, { headers: { ...HEADERS, "x-request-id": requestId } });
  } catch (error) {
    return webErrorResponse(error, requestId);
  }
}

async function openStream(caller: UserCaller, request: Request): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(
    undefined,
    new CountQueuingStrategy({ highWaterMark: MAX_UNREAD }),
  );
  const writer = writable.getWriter();
  let stopWatching: () => void = () => undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let isClosed = false;

  countStream(caller.userId, 1);
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    countStream(caller.userId, -1);
    clearInterval(heartbeat);
    webClosing().removeEventListener("abort", close);
    stopWatching();
    writer.close().catch(() => undefined);
  };
  const send = (text: string) => {
    if (isClosed) return;
    if ((writer.desiredSize ?? 0) <= 0) return close();
    writer.write(encoder.encode(text)).catch(close);
  };
  const sendEvent = (event: string, data: unknown) => send(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);

  // The reader has gone: the response's body was cancelled, or the connection ended.
  writer.closed.then(close, close);
  request.signal.addEventListener("abort", close);
  const closing = webClosing();
  closing.addEventListener("abort", close);
  stopWatching = await watchRuns(
    caller.workspaceId,
    (runId) => sendEvent("run_changed", { run_id: runId }),
    () => sendEvent("resync", {}),
    (notice) => sendEvent("workflow_notice", notice),
  ).catch((error: unknown) => {
    close();
    throw error;
  });
  if (request.signal.aborted || closing.aborted) close();
  if (isClosed) stopWatching();
  let beats = 0;
  heartbeat = setInterval(() => {
    beats += 1;
    send(": still here");
    if (beats % HEARTBEATS_PER_CHECK === 0) {
      void mayStay(caller, request).then((isAllowed) => isAllowed || close());
    }
  }, HEARTBEAT_MS);
  heartbeat.unref();
  send(`retry: ${RECONNECT_MS}\n\n`);
  return readable;
}

/** @throws ApiError RATE_LIMIT_EXCEEDED */
function assertMayOpen(userId: string): void {
  if ((streams.get(userId) ?? 0) < LIMITS.streamsPerUser) return;
  throw new ApiError("too_many_streams", "Too many of your pages are open. Close some of them.", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

function countStream(userId: string, change: 1 | -1): void {
  const open = (streams.get(userId) ?? 0) + change;
  if (open > 0) streams.set(userId, open);
  else streams.delete(userId);
}

/** A browser's EventSource cannot send our header, so the page names its workspace in the URL. */
function shownWorkspaceOf(request: Request): string | null {
  return new URL(request.url).searchParams.get("workspace");
}

/** Whether the reader is still a member and may use the workspace. */
async function mayStay(caller: UserCaller, request: Request): Promise<boolean> {
  try {
    const now = await findSession(request.headers, shownWorkspaceOf(request));
    return now?.caller.workspaceId === caller.workspaceId && now.missing === null;
  } catch {
    // If the database does not answer, the readers stay connected.
    return true;
  }
}
