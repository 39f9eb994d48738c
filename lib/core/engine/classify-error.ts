import { StepError, stepErrorKind } from "#lib/contract/run/step-error";

const MESSAGE_CHARACTERS = 500;

/**
 * Converts whatever a handler threw to a step error. This is the only place that turns unclassified errors into UNKNOWN
 * (contract, Errors: "a throw without code").
 */
export function classifyError(thrown: unknown): StepError {
  if (thrown instanceof StepError) return thrown;
  const { code, reason, message } = (typeof thrown === "object" && thrown !== null ? thrown : {}) as Record<
    string,
    unknown
  >;
  const text = typeof message === "string" && message !== "" ? message : String(thrown);
  return new StepError(stepErrorKind({ code, reason }) ?? "UNKNOWN", text.slice(0, MESSAGE_CHARACTERS), {
    cause: thrown,
  });
}
