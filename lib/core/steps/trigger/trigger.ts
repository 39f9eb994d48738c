import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { PreparedNode } from "#lib/core/engine/plan";
import { addUnresolved, numberAsText } from "#lib/core/expressions/unresolved-path";
import { NUMBERS_AS_TEXT } from "#lib/core/input/numbers-as-text";
import { parseData } from "#lib/core/steps/parse-data";
import { triggerData } from "#lib/core/steps/trigger/trigger-data";

/**
 * Provides the event that started the run (decisions, The graph document). The run's input is the node's output:
 * `{output}`, as expressions name it.
 */
export function prepareTrigger(node: GraphNode): PreparedNode<JsonObject> {
  parseData(triggerData, node);
  return {
    resolveInput: (_scope, runInput, unresolved) => {
      for (const path of keptIn(runInput)) addUnresolved(unresolved, numberAsText(fieldOf(path), path));
      return runInput;
    },
    execute: (input) => {
      if (!Object.hasOwn(input, NUMBERS_AS_TEXT)) return input;
      const { [NUMBERS_AS_TEXT]: _kept, ...event } = input;
      return event;
    },
  };
}

/** Returns the field of the event that has the number: `output.body` or `output.data`. */
function fieldOf(path: string): string {
  return /^trigger\.(output\.\w{1,64})/.exec(path)?.[1] ?? "output";
}

/** The input of a test is what its author wrote. */
function keptIn({ [NUMBERS_AS_TEXT]: kept }: JsonObject): string[] {
  return Array.isArray(kept) ? kept.filter((path) => typeof path === "string") : [];
}
