import { webErrorResponse } from "#lib/api/admission/web-response";
import { findSession, requireSession } from "#lib/api/auth/session";
import type { UserCaller } from "#lib/api/operations/define/caller";
import { watchRuns } from "#lib/domain/runs/notify/watch-runs";
import { uuidv7 } from "#lib/support/ids";

/** Proxies close a connection on which nothing moves. */
const HEARTBEAT_MS = 15_000;
/** A stream outlives the request that proved the session, so it is proved again. */
const HEARTBEATS_PER_CHECK = 4;
/** A reader this many messages behind is cut off: it comes back and reads anew. */
const MAX_UNREAD = 1_000;
const RECONNECT_MS = 2_000;

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store, no-transform",
  // nginx would hold the events back.
  "x-accel-buffering": "no",
};

/**
 * `GET /api/stream`: what changes in the workspace while a page is open. Events: `run_changed` `{run_id}`;
 * `workflow_notice` (contract/presence): who has a workflow open or changed it; `resync`
 * `{}` when changes may have been missed, so that the page reads what it shows anew.
 */
export async function eventStream(request: Request): Promise<Response> {
  const requestId = uuidv7();
  try {
    const caller = await requireSession(request.headers, shownWorkspaceOf(request));
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

  const close = () => {
    if (isClosed) return;
    isClosed = true;
    clearInterval(heartbeat);
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
  stopWatching = await watchRuns(
    caller.workspaceId,
    (runId) => sendEvent("run_changed", { run_id: runId }),
    () => sendEvent("resync", {}),
    (notice) => sendEvent("workflow_notice", notice),
  );
  if (request.signal.aborted) close();
  if (isClosed) stopWatching();
  let beats = 0;
  heartbeat = setInterval(() => {
    beats += 1;
    send(": still here\n\n");
    if (beats % HEARTBEATS_PER_CHECK === 0) {
      void isStillMember(caller, request).then((isMember) => isMember || close());
    }
  }, HEARTBEAT_MS);
  heartbeat.unref();
  send(`retry: ${RECONNECT_MS}\n\n`);
  return readable;
}

/** A browser's EventSource sends no header of ours, so the page names its workspace in the address. */
function shownWorkspaceOf(request: Request): string | null {
  return new URL(request.url).searchParams.get("workspace");
}

async function isStillMember(caller: UserCaller, request: Request): Promise<boolean> {
  // A database that cannot be asked is no reason to cut everybody off.
  const now = await findSession(request.headers, shownWorkspaceOf(request)).catch(() => caller);
  return now?.workspaceId === caller.workspaceId;
}
