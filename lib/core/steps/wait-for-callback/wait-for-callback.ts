import { StepError } from "#lib/contract/run/step-error";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { PreparedWait } from "#lib/core/engine/plan";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { templateBudget } from "#lib/core/expressions/template-budget";
import { parseData } from "#lib/core/steps/parse-data";
import { EXPIRES_RANGE, expiryIn, waitForCallbackData } from "#lib/core/steps/wait-for-callback/wait-for-callback-data";

interface CallbackInput {
  expires_seconds: number;
}

/**
 * Waits for a request to the address of this step (decisions, Callbacks). A request that arrived before the run reached
 * the step counts. Without a branch for it, the end of the time fails the step.
 */
export function prepareWaitForCallback(node: GraphNode): PreparedWait<CallbackInput> {
  const { expires_seconds: template } = parseData(waitForCallbackData, node);
  return {
    resolveInput: (scope, _runInput, unresolved) => ({
      expires_seconds: secondsOf(resolveTemplate(template, scope, templateBudget(unresolved), "expires_seconds")),
    }),
    look: async ({ expires_seconds: expiresSeconds }, { nodeId, iteration, hasBranch, services }) => {
      const callback = await services.callbacks.open({ nodeId, iteration, expiresSeconds });
      switch (callback.status) {
        case "waiting":
          return { kind: "wait", wait: { kind: "callback", nodeId, iteration, ms: callback.restMs } };
        case "received":
          return { kind: "here", output: { ...callback.delivery, received_at: callback.receivedAt.toISOString() } };
        case "expired":
          if (hasBranch("expired")) return { kind: "here", output: { body: null, headers: {}, received_at: null } };
          throw new StepError("callback_expired", `No callback arrived within ${expiresSeconds} s`);
      }
    },
  };
}

function secondsOf(value: unknown): number {
  const seconds = expiryIn(value);
  if (seconds !== null) return seconds;
  throw new StepError("VALIDATION_ERROR", `expires_seconds must be ${EXPIRES_RANGE}`);
}
