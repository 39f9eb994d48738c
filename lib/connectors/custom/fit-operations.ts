import { BuildRefused, type CustomOperation } from "#lib/connectors/custom/custom-definition";
import { cutSchema } from "#lib/connectors/custom/resolve-schema";
import { BUILD_LIMITS } from "#lib/contract/connector/connector";

/** What the rest of a definition may take: names, descriptions and the way to send parameters. */
const SCHEMAS_SHARE = 0.8;
/** A schema that is cut below this says nothing. */
const SCHEMA_CHARACTERS_MIN = 400;

/**
 * Cuts the largest schemas until all operations fit into a definition. Small schemas stay whole, and params are cut only
 * if it is not enough to cut outputs.
 * @throws BuildRefused if they don't fit even then
 */
export function fitOperations(operations: CustomOperation[]): CustomOperation[] {
  const room = BUILD_LIMITS.definitionBytes;
  if (sizeOf(operations) <= room) return operations;
  const outputs = operations.map(({ outputSchema }) => sizeOf(outputSchema));
  const params = operations.map(({ paramsSchema }) => sizeOf(paramsSchema));
  const left = room * SCHEMAS_SHARE - params.reduce((sum, size) => sum + size, 0);
  const attempts = [
    { outputs: levelOf(outputs, left), params: Number.POSITIVE_INFINITY },
    // A schema can end up larger than asked for, because its required fields stay.
    ...[1, 2, 4].map((part) => {
      const level = levelOf([...outputs, ...params], room * SCHEMAS_SHARE) / part;
      return { outputs: level, params: level };
    }),
  ];
  for (const most of attempts) {
    if (Math.min(most.outputs, most.params) < SCHEMA_CHARACTERS_MIN) continue;
    const cut = operations.map((one) => cutOperation(one, most));
    if (sizeOf(cut) <= room) return cut;
  }
  const message = `The connector would be larger than ${room / 1_048_576} MiB. Choose fewer operations.`;
  throw new BuildRefused("/paths", "too_large", message);
}

function cutOperation(operation: CustomOperation, most: { outputs: number; params: number }): CustomOperation {
  const { paramsSchema, outputSchema } = operation;
  return {
    ...operation,
    paramsSchema: sizeOf(paramsSchema) > most.params ? cutSchema(paramsSchema, most.params) : paramsSchema,
    outputSchema: sizeOf(outputSchema) > most.outputs ? cutSchema(outputSchema, most.outputs) : outputSchema,
  };
}

/** Returns the level at which sizes must be cut so that their sum fits. */
function levelOf(sizes: readonly number[], room: number): number {
  let left = room;
  const sorted = [...sizes].sort((a, b) => a - b);
  for (const [index, size] of sorted.entries()) {
    const share = left / (sorted.length - index);
    if (size > share) return Math.floor(share);
    left -= size;
  }
  return room;
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
