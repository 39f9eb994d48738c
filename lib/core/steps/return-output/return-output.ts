import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { PreparedNode } from "#lib/core/engine/plan";
import { toText } from "#lib/core/expressions/to-text";
import type { UnresolvedPath } from "#lib/core/expressions/unresolved-path";
import { coerceValue } from "#lib/core/steps/coerce-value";
import { parseData } from "#lib/core/steps/parse-data";
import { resolveNamed } from "#lib/core/steps/resolve-named";
import type { OutputProperty } from "#lib/core/steps/return-output/output-properties";
import { returnOutputData } from "#lib/core/steps/return-output/return-output-data";

/**
 * Builds the output of the run: resolves every property and converts it to its declared type. A required property must
 * have a value (decisions, The graph document).
 */
export function prepareReturnOutput(node: GraphNode): PreparedNode<JsonObject> {
  const { properties } = parseData(returnOutputData, node);
  return {
    resolveInput: (scope, _runInput, unresolved) => {
      const values = resolveNamed("properties", properties, scope, unresolved);
      const missing = properties.findIndex(({ name, required }) => required && (values[name] ?? null) === null);
      const property = properties[missing];
      if (!property) return values;
      throw missingOutput(
        property,
        unresolved.find(({ field }) => field === `properties.${missing}.value`),
      );
    },
    execute: (input) =>
      Object.fromEntries(properties.map(({ name, type }) => [name, coerceValue(name, type, input[name])])),
  };
}

/** Says where the path stopped; if the path exists, its value is null. */
function missingOutput({ name, value }: OutputProperty, stop: UnresolvedPath | undefined): StepError {
  if (!stop) return new StepError("output_missing", `${name} is required, but its value is null: ${toText(value)}`);
  const { path, resolvedUntil, has } = stop;
  const place = resolvedUntil === "" ? `The steps with an output are ${has}` : `${resolvedUntil} is ${has}`;
  return new StepError("output_missing", `${name} is required, but ${path} does not exist. ${place}.`);
}
