import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { serve } from "#bench/stage/start-stub";

/** One request that reached the outside server. */
export interface OutsideCall {
  /** The idempotency key: `<run>:<node>:<iteration>`. */
  key: string;
  runId: string;
  nodeId: string;
  body: string;
  /** The credentials of the request. Null if there were none. */
  authorization: string | null;
  /** The time of arrival, by the monotonic clock and by the wall clock. */
  atMs: number;
  wallMs: number;
  /** When the caller closed the connection without an answer. Null if it did not. */
  droppedAtMs: number | null;
  isAnswered: boolean;
}

/** The API of another service. It counts requests by idempotency key. */
export interface OutsideServer {
  url: string;
  calls: Map<string, OutsideCall[]>;
  /** Returns the number of different steps of this node that were answered. */
  answered(nodeId: string): number;
  /** Lists the calls that have no answer and whose caller still waits. */
  open(): OutsideCall[];
  close(): Promise<void>;
}

interface OutsideOptions {
  latencyMs(call: OutsideCall): number;
  /** Called when a call arrives. If it returns true, it takes over the answer, and the server sends none. */
  onCall?(call: OutsideCall, answer: (body: object) => void): boolean;
}

/** Returns the times from each killed caller's call to the next call with the same key, in seconds. */
export function resumeSeconds(calls: ReadonlyMap<string, readonly OutsideCall[]>): number[] {
  return [...calls.values()].flatMap((ofKey) =>
    ofKey.flatMap((call, index) => {
      const next = ofKey[index + 1];
      return call.droppedAtMs === null || !next ? [] : (next.atMs - call.droppedAtMs) / 1000;
    }),
  );
}

/**
 * Returns the server's answer. It differs for every step and contains an email address that the journal must redact.
 */
export function answerOf(runId: string, nodeId: string): { token: string; email: string } {
  return { token: `${nodeId}-${runId.slice(-12)}`, email: `${nodeId}.${runId.slice(-12)}@example.org` };
}

/** Returns the record of a call that arrives now. */
export function madeCall(key: string, authorization: string | null = null): OutsideCall {
  const [runId = "", nodeId = ""] = key.split(":");
  const times = { atMs: performance.now(), wallMs: Date.now(), droppedAtMs: null };
  return { key, runId, nodeId, body: "", authorization, ...times, isAnswered: false };
}

export async function startOutside({ latencyMs, onCall }: OutsideOptions): Promise<OutsideServer> {
  const calls = new Map<string, OutsideCall[]>();
  const open = new Set<OutsideCall>();
  const answered = new Map<string, Set<string>>();
  const { url, stop } = await serve(async (request, response) => {
    const call = madeCall(String(request.headers["idempotency-key"]), request.headers.authorization);
    const { key, nodeId, runId } = call;
    const earlier = calls.get(key);
    if (earlier) earlier.push(call);
    else calls.set(key, [call]);
    open.add(call);
    response.on("close", () => {
      open.delete(call);
      if (!response.writableFinished) call.droppedAtMs = performance.now();
    });
    try {
      for await (const chunk of request) call.body += chunk;
    } catch {
      return;
    }
    const answer = (body: object) => {
      if (send(call, response, body)) answered.set(nodeId, (answered.get(nodeId) ?? new Set()).add(runId));
    };
    if (onCall?.(call, answer)) return;
    await sleep(latencyMs(call));
    answer(answerOf(runId, nodeId));
  });
  return {
    url: new URL(url).origin,
    calls,
    answered: (nodeId) => answered.get(nodeId)?.size ?? 0,
    open: () => [...open],
    close: stop,
  };
}

/** @returns true if a caller was waiting */
function send(call: OutsideCall, response: ServerResponse, body: object): boolean {
  if (response.destroyed || response.headersSent) return false;
  call.isAnswered = true;
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  return true;
}
