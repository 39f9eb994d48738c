import { StepError, stepErrorKind } from "#lib/contract/step-error";

const MESSAGE_CHARACTERS = 500;

/**
 * What a handler threw, as a step error. The one place where a throw nobody classified becomes UNKNOWN (contract,
 * Errors: "a throw without code").
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
