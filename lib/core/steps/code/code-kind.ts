import { LIMITS } from "#lib/contract/limits";
import { UNKNOWN } from "#lib/core/shapes/shape";
import { defineStepKind } from "#lib/core/steps/define-step-kind";
import { nextFreeName } from "#lib/support/format/next-free-name";
import { isJsonObject } from "#lib/support/json";

export const codeKind = defineStepKind({
  type: "code",
  title: "Code",
  category: "data",
  description: "Run TypeScript in a sandbox",
  guidance:
    "`export default async (input) => …` or a function body, without network access and with " +
    `${LIMITS.codeCpuMs / 1_000} s of CPU time. Put templates into input, never into source. Throw {code, message, ` +
    "retryAfterMs?} to fail with one of the six step error codes.",
  keywords: "javascript typescript script function program parse json",
  canContinue: true,
  newData: () => ({ source: "export default async (input) => {\n  return { result: input };\n};\n", input: {} }),
  example: { source: "return { total: input.amount * 1.19 };", input: { amount: "{{action_input.amount}}" } },
  least: { source: "return input" },
  output: "the value that the function returns",
  outputShape: ({ source }, { catalog }) => (typeof source === "string" ? catalog.readCode(source) : UNKNOWN),
  templates: ["input"],
  program: { field: "source", language: "typescript" },
  programInputs: ["input"],
  addValue: (data, { name, expression }) => {
    const input = isJsonObject(data.input) ? data.input : {};
    return { ...data, input: { ...input, [nextFreeName(name, new Set(Object.keys(input)))]: expression } };
  },
  effects: "none",
  handler: async () => (await import("#lib/core/steps/code/code")).prepareCode,
});
