import { expect, it } from "vitest";
import type { OutgoingRequest } from "#lib/core/engine/outgoing-request";
import { NO_MASK } from "#lib/core/redaction/mask-texts";
import type { OpenedRun } from "#lib/domain/runs/execute/open-runs";
import { openResponsePlaces } from "#worker/execute/response-places";
import { openSlots } from "#worker/execute/slots";
import { stepServices } from "#worker/execute/step-services";
import type { WorkerContext } from "#worker/execute/worker-context";

const REQUEST = { method: "POST", url: "https://other.example/", headers: {}, signal: new AbortController().signal };

const controls = () => ({
  slot: openSlots({ ceiling: 1, workingMax: () => 1, onRoom: () => {} }).take(),
  abort: new AbortController(),
  mask: NO_MASK,
  callbackSecret: null,
});

it("sends nothing before the worker may cause side effects again, no matter how long a step has waited", async () => {
  const sent: string[] = [];
  const fit = Promise.withResolvers<void>();
  const worker = {
    untilFit: () => fit.promise,
    responses: openResponsePlaces(),
    send: async ({ url }: OutgoingRequest) => {
      sent.push(url);
      return { status: 200, headers: {}, body: Buffer.from("") };
    },
  } satisfies Partial<WorkerContext> as Partial<WorkerContext> as WorkerContext;
  const { send } = stepServices(worker, { workspaceId: "w", lease: { runId: "r" } } as OpenedRun, controls());
  const answer = send(REQUEST as OutgoingRequest);
  await Promise.resolve();
  expect(sent).toEqual([]);
  fit.resolve();
  expect((await answer).status).toBe(200);
  expect(sent).toEqual(["https://other.example/"]);
});

it("checks again after the circuit breaker, which may have answered long after the worker was declared dead", async () => {
  const order: string[] = [];
  const worker = {
    untilFit: async () => void order.push("fit"),
    responses: openResponsePlaces(),
    send: async ({ onHop, url }: OutgoingRequest) => {
      await onHop?.(new URL(url));
      order.push("sent");
      return { status: 200, headers: {}, body: Buffer.from("") };
    },
  } satisfies Partial<WorkerContext> as Partial<WorkerContext> as WorkerContext;
  const { send } = stepServices(worker, { workspaceId: "w", lease: { runId: "r" } } as OpenedRun, controls());
  const onHop = async () => void order.push("breaker");
  await send({ ...REQUEST, onHop } as OutgoingRequest);
  expect(order).toEqual(["fit", "breaker", "fit", "sent"]);
});
