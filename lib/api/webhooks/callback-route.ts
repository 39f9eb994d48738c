import { createHash } from "node:crypto";
import { clientSource } from "#lib/api/admission/client-address";
import { errorResponse, toApiError } from "#lib/api/admission/error-response";
import { countFailedKey, hasTooManyFailedKeys, takeWebhookRequest } from "#lib/api/admission/limit-source";
import { measureRequest } from "#lib/api/admission/measure-request";
import { assertDeclaredSize, readBody } from "#lib/api/admission/read-body";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { type FoundCallback, findCallback } from "#lib/domain/callbacks/find-callback";
import { receiveCallback } from "#lib/domain/callbacks/receive-callback";
import { count } from "#lib/platform/metrics/counters";
import { noteWork } from "#lib/platform/metrics/note-work";
import { noteOnSpan, noteRequestId } from "#lib/platform/telemetry/telemetry";
import { uuidv7 } from "#lib/support/ids";
import { inTurnByKey } from "#lib/support/in-turn";
import { shareInProcess } from "#lib/support/share-in-process";

const inTurn = shareInProcess("callbackLookups", inTurnByKey);

/** Answers every request to a path below /callbacks. */
export function answerCallback(request: Request): Promise<Response> {
  if (request.method !== "POST") return callbackMethodNotAllowed();
  return callbackRoute(request, decodeURIComponent(new URL(request.url).pathname.slice("/callbacks/".length)));
}

/**
 * Serves `POST /callbacks/:token`, which resumes a run (decisions, Callbacks). The token is the whole key, so nothing is
 * read of a request before it proved to be right, and no answer, log or metric contains it.
 */
export function callbackRoute(request: Request, token: string): Promise<Response> {
  return measureRequest(request, "/callbacks/:token", () => receive(request, token));
}

async function receive(request: Request, token: string): Promise<Response> {
  const requestId = uuidv7();
  noteRequestId(requestId);
  const headers = answerHeaders(requestId);
  try {
    assertDeclaredSize(request, LIMITS.callbackBodyBytes);
    const { admit } = takeWebhookRequest(createHash("sha256").update(token).digest("hex"), request.headers);
    const callback = await authenticate(token, request.headers);
    noteOnSpan({ "signalbox.workspace.id": callback.workspaceId, "signalbox.run.id": callback.place.runId });
    noteWork({ workspaceId: callback.workspaceId, operation: "callback" });
    admit();
    const body = await readBody(request, LIMITS.callbackBodyBytes);
    const { receivedAt, isRepeat } = await receiveCallback(callback, { headers: request.headers, body });
    if (isRepeat) headers.set("idempotent-replayed", "true");
    return Response.json({ accepted: true, received_at: receivedAt.toISOString() }, { headers });
  } catch (thrown) {
    const error = toApiError(thrown, requestId);
    count("signalbox_webhook_rejections_total", { code: error.code });
    return errorResponse(error, headers);
  }
}

/** Answers every other method: what follows links, such as a mail scanner, must not resume a run. */
async function callbackMethodNotAllowed(): Promise<Response> {
  const headers = answerHeaders(uuidv7());
  headers.set("allow", "POST");
  return errorResponse(new ApiError("METHOD_NOT_ALLOWED", "This path supports POST."), headers);
}

/** A source that guesses is slowed down like one that guesses API keys. Senders with a right address never are. */
async function authenticate(token: string, headers: Headers): Promise<FoundCallback> {
  const look = () => findCallback(token);
  const callback = await (hasTooManyFailedKeys(headers) ? inTurn(clientSource(headers), look) : look());
  if (callback) return callback;
  const refusal = "There is no such callback.";
  const retryAfterSeconds = countFailedKey(headers);
  if (retryAfterSeconds === 0) throw new ApiError("NOT_FOUND", refusal);
  const text = `${refusal} Too many requests like this came from your address.`;
  throw new ApiError("too_many_failed_keys", text, { retryAfterSeconds });
}

function answerHeaders(requestId: string): Headers {
  return new Headers({ "cache-control": "no-store", "x-request-id": requestId, "referrer-policy": "no-referrer" });
}
