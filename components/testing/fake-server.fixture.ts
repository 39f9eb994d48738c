import { onlineManager } from "@tanstack/react-query";
import { onTestFinished, vi } from "vitest";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { ApiError, type ApiErrorCode } from "#lib/contract/error/api-error";
import type { SpecificApiErrorReason } from "#lib/contract/error/error-reasons";

type Name = keyof WebOperations;
type Input<K extends Name> = WebOperations[K]["input"];
type Output<K extends Name> = WebOperations[K]["output"];
type Answer = (input: unknown) => Response;

interface Refusal {
  /** A specific reason implies its code. */
  code: ApiErrorCode | SpecificApiErrorReason;
  message: string;
  /** `FieldError[]` for errors that the user can fix in a field. */
  details?: unknown;
}

/** The server as a page sees it: JSON over HTTP at the paths of the web operations. */
export interface FakeServer {
  answer<K extends Name>(name: K, output: Output<K> | ((input: Input<K>) => Output<K>)): void;
  refuse(name: Name, refusal: Refusal): void;
  /** Sets the answer for a path that is not an operation, such as `/api/sign-up`. */
  answerPath(path: string, status: number, body: unknown): void;
  /** Holds an operation's answers until the returned function is called. */
  hold(name: Name): () => void;
  goOffline(): void;
  goOnline(): void;
  /** Returns the inputs of all requests for an operation, in order. */
  sent<K extends Name>(name: K): Input<K>[];
  sentTo(path: string): unknown[];
  /** Requests for which the test has set no answer. */
  unexpected: string[];
}

const pathOf = (name: string): string => `/api/web/${name}`;

/** Replaces the network until the test ends. An operation without an answer gets a 500 that says so. */
export function startFakeServer(): FakeServer {
  const answers = new Map<string, Answer>();
  const held = new Map<string, Promise<void>>();
  const requests: { path: string; input: unknown }[] = [];
  const unexpected: string[] = [];
  let isOffline = false;

  async function respond(address: string, init: RequestInit = {}): Promise<Response> {
    const path = new URL(address, "http://localhost").pathname;
    if (isOffline) throw new TypeError("Failed to fetch");
    const input = readBody(init.body);
    requests.push({ path, input });
    await held.get(path);
    if (init.signal?.aborted) throw new DOMException("The request was aborted.", "AbortError");
    if (isOffline) throw new TypeError("Failed to fetch");
    const answer = answers.get(path);
    if (answer !== undefined) return answer(input);
    unexpected.push(path);
    return refusal({ code: "INTERNAL_ERROR", message: `The test has no answer for ${path}.` });
  }
  vi.stubGlobal("fetch", respond);

  function setOffline(next: boolean) {
    isOffline = next;
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(!next);
    window.dispatchEvent(new Event(next ? "offline" : "online"));
  }
  const sentTo = (path: string) => requests.filter((request) => request.path === path).map(({ input }) => input);
  return {
    answer: (name, output) =>
      void answers.set(pathOf(name), (input) =>
        Response.json(typeof output === "function" ? output(input as never) : output),
      ),
    refuse: (name, given) => void answers.set(pathOf(name), () => refusal(given)),
    answerPath: (path, status, body) => void answers.set(path, () => Response.json(body, { status })),
    hold(name) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(pathOf(name), promise);
      return () => {
        held.delete(pathOf(name));
        resolve();
      };
    },
    goOffline() {
      setOffline(true);
      // Other pages of this process are online again.
      onTestFinished(() => onlineManager.setOnline(true));
    },
    goOnline: () => setOffline(false),
    sent: <K extends Name>(name: K) => sentTo(pathOf(name)) as Input<K>[],
    sentTo,
    unexpected,
  };
}

/** Parses JSON, or the form that a page sends to the sign-in service. */
function readBody(body: RequestInit["body"]): unknown {
  if (body instanceof URLSearchParams) return Object.fromEntries(body);
  return typeof body === "string" ? JSON.parse(body) : null;
}

function refusal({ code, message, details }: Refusal): Response {
  const error = new ApiError(code, message, { details });
  return Response.json(error.toBody(), { status: error.status, headers: { "x-request-id": "req-test" } });
}
