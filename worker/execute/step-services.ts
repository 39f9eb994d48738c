import type { SandboxProgram, StepServices } from "#lib/core/engine/ports";
import type { Mask } from "#lib/core/redaction/mask-texts";
import { openGate } from "#lib/domain/approvals/open-gate";
import { callbackUrl } from "#lib/domain/callbacks/callback-url";
import { openCallback } from "#lib/domain/callbacks/open-callback";
import { openConnection } from "#lib/domain/connections/open-connection";
import { subRunsOf } from "#lib/domain/runs/create/open-sub-runs";
import type { OpenedRun } from "#lib/domain/runs/execute/open-runs";
import { computeFor } from "#lib/platform/compute/compute-for";
import { observeSandboxWait } from "#lib/platform/metrics/counters";
import { noteWork } from "#lib/platform/metrics/note-work";
import { evaluateJsonata } from "#lib/platform/sandbox/evaluate-jsonata";
import { runUserCode } from "#lib/platform/sandbox/run-user-code";
import { SandboxError } from "#lib/platform/sandbox/sandbox-error";
import { abortOnLostDatabase } from "#worker/execute/abort-on-lost-database";
import { persist } from "#worker/execute/persist";
import { realClock } from "#worker/execute/real-clock";
import type { Slot } from "#worker/execute/slots";
import { traceCall } from "#worker/execute/trace-call";
import type { WorkerContext } from "#worker/execute/worker-context";
import { postgresBreaker } from "#worker/supervise/postgres-breaker";

interface RunControls {
  slot: Slot;
  /** Aborted when the run is no longer ours. */
  abort: AbortController;
  /** Hides the secrets of the definition in what is stored outside the journal. */
  mask: Mask;
  /** Signs the addresses of the run; null if no step has one. */
  callbackSecret: Buffer | null;
}

/** The services that the steps of one run may use. */
export function stepServices(worker: WorkerContext, run: OpenedRun, controls: RunControls): StepServices {
  const { slot, abort, mask } = controls;
  const { workspaceId } = run;
  const store = <T>(work: () => Promise<T>) => abortOnLostDatabase(abort, () => persist(work));
  // Checked again at the last moment: the code between a step's start and its call may have waited for the database.
  const send: StepServices["send"] = async (outgoing) => {
    await worker.untilFit(outgoing.signal);
    const place = worker.responses.open(workspaceId);
    try {
      const untilRoom = () => place.enter(outgoing.signal);
      const onHop = async (url: URL) => {
        await outgoing.onHop?.(url);
        // The circuit breaker is in the database: a worker that was declared dead meanwhile must not call.
        await worker.untilFit(outgoing.signal);
      };
      const response = await traceCall(run.lease.runId, { ...outgoing, onHop, workspaceId, untilRoom }, worker.send);
      // The step continues with a response of any size.
      noteWork({ workspaceId, runId: run.lease.runId });
      return response;
    } finally {
      // The step parses the response in this turn of the event loop.
      setImmediate(place.leave);
    }
  };
  const secret = () => {
    if (!controls.callbackSecret) throw new Error("a step without an address asks for one");
    return controls.callbackSecret;
  };
  return {
    breaker: postgresBreaker({ workspaceId, isTest: run.versionId === null }, mask),
    compute: computeFor(workspaceId),
    connections: { open: (id) => store(() => openConnection(workspaceId, id, send)) },
    callbacks: {
      urlOf: (nodeId, iteration) => callbackUrl(secret(), { runId: run.lease.runId, nodeId, iteration }),
      open: (request) => store(() => openCallback(run, request)),
    },
    gates: { open: (gate) => store(() => openGate(run, { ...gate, message: mask(gate.message) })) },
    subRuns: { open: subRunsOf({ ...run, mask }, store) },
    sandbox: {
      runCode: async ({ onConsole, ...program }) => {
        try {
          const answer = await inTurn({ workspaceId, slot }, "typescript", program, (request) => runUserCode(request));
          onConsole(answer.console);
          return answer.value;
        } catch (error) {
          if (error instanceof SandboxError) onConsole(error.console);
          throw error;
        }
      },
      evaluateJsonata: (program) =>
        inTurn({ workspaceId, slot }, "jsonata", program, (request) =>
          evaluateJsonata(program.source, program.input, request),
        ),
    },
    send,
    now: realClock.now,
  };
}

/** Calls the sandbox for the run's workspace, and measures how long the call waits for its turn. */
async function inTurn<T>(
  { workspaceId, slot }: { workspaceId: string; slot: Slot },
  language: "typescript" | "jsonata",
  program: SandboxProgram,
  call: (request: SandboxProgram & { workspaceId: string }) => Promise<T>,
): Promise<T> {
  const askedAt = performance.now();
  const endTurn = slot.expectTurn();
  const onTurn = () => {
    endTurn();
    observeSandboxWait(language, performance.now() - askedAt);
    program.onTurn();
  };
  try {
    return await call({ ...program, workspaceId, onTurn });
  } finally {
    endTurn();
  }
}
