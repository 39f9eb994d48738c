import { readObject } from "#lib/connectors/llm/output-schema";
import type { ComputePort } from "#lib/core/engine/ports";
import { runJob } from "#lib/platform/compute/run-job";

/** Returns the computing of one workspace, whose jobs take turns with those of the others. */
export function computeFor(workspaceId: string): ComputePort {
  return {
    findCase: (cases, signal) => {
      // Each text is at most as large as a step's input.
      const bytes = JSON.stringify(cases).length;
      return runJob({ kind: "find_case", cases }, { workspaceId, bytes, signal });
    },
    parseObject: async (text, schema, signal, onKept) => {
      const index = await runJob({ kind: "check_object", text, schema }, { workspaceId, bytes: text.length, signal });
      // The text is here already; sending the value would cost more than reading it again.
      return readObject(text, schema, index, onKept);
    },
    checkValue: (value, schema, signal) => {
      const bytes = JSON.stringify(value).length + JSON.stringify(schema).length;
      return runJob({ kind: "check_value", value, schema }, { workspaceId, bytes, signal });
    },
  };
}
