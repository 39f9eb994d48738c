import { openGate } from "#lib/approvals/open-gate";
import { openConnection } from "#lib/connections/open-connection";
import type { StepServices } from "#lib/engine/ports";
import type { OpenedRun } from "#lib/runs/open-runs";
import { openSubRun } from "#lib/runs/open-sub-run";
import { evaluateJsonata } from "#lib/sandbox/evaluate-jsonata";
import { runUserCode } from "#lib/sandbox/run-user-code";
import { persist } from "#worker/persist";
import { postgresBreaker } from "#worker/postgres-breaker";
import { realClock } from "#worker/real-clock";
import type { WorkerContext } from "#worker/worker-context";

/** What the steps of one run may use of the world. */
export function stepServices(worker: WorkerContext, run: OpenedRun): StepServices {
  // Asked again at the last moment: what comes between a step's start and its call may have waited for the database.
  const send: StepServices["send"] = async (outgoing) => {
    await worker.untilFit(outgoing.signal);
    return worker.send(outgoing);
  };
  return {
    breaker: postgresBreaker(run.workspaceId),
    connections: { open: (id) => persist(() => openConnection(run.workspaceId, id, send)) },
    gates: { open: (gate) => persist(() => openGate(run, gate)) },
    subRuns: { open: (request) => persist(() => openSubRun(run, request)) },
    sandbox: {
      runCode: async (program) => (await runUserCode(program)).value,
      evaluateJsonata: (program) => evaluateJsonata(program.source, program.input, program),
    },
    send,
    now: realClock.now,
  };
}
