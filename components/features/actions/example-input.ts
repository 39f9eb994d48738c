import type { ActionDetailObject } from "#lib/contract/action/action";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { exampleObject } from "#lib/core/input/example-value";
import { currentSchema } from "#lib/core/input/input-aliases";

/** Returns an input to start from: the server's first example, or one built from the required fields. */
export function exampleInput(action: Pick<ActionDetailObject, "examples" | "inputSchema">): JsonObject {
  const { properties, required } = currentSchema(action.inputSchema);
  return action.examples[0] ?? exampleObject(properties, required);
}
