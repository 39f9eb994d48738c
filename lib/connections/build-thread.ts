import { parentPort, workerData } from "node:worker_threads";
import type { ThreadAnswer } from "#lib/connections/build-in-thread";
import type { BuildOrder } from "#lib/connections/build-source";
import { buildDefinition, documentOf } from "#lib/connectors/custom/build-definition";
import { BuildRefused } from "#lib/connectors/custom/custom-definition";
import { storableJson } from "#lib/support/storable-json";

/** Runs in a thread of its own (build-in-thread): one order, one answer. */
function answer({ documentJson, documentText, operations, ...source }: BuildOrder): ThreadAnswer {
  try {
    const given = documentText ?? (documentJson === null ? null : (JSON.parse(documentJson) as unknown));
    const document = operations ? documentOf(source.name, operations) : given;
    const { definition, findings } = buildDefinition({ ...source, document });
    // As text: made here and stored as it is, it costs the process that asked nothing.
    const definitionJson = storableJson(definition);
    return { built: { definitionJson, operations: definition.operations.map(({ name }) => name), findings } };
  } catch (error) {
    if (error instanceof BuildRefused) return { refused: error.finding };
    throw error;
  }
}

parentPort?.postMessage(answer(workerData as BuildOrder));
