import { parentPort, workerData } from "node:worker_threads";
import { buildDefinition, documentOf } from "#lib/connectors/custom/build-definition";
import { compareConnectors } from "#lib/connectors/custom/compare-connectors";
import { BuildRefused, type CustomDefinition } from "#lib/connectors/custom/custom-definition";
import { listRoutes } from "#lib/connectors/custom/describe-operations";
import { NOTHING_SUGGESTED } from "#lib/connectors/custom/suggest-settings";
import type { ThreadAnswer } from "#lib/domain/custom-connectors/build-in-thread";
import type { BuildOrder } from "#lib/domain/custom-connectors/build-source";
import { storableJson } from "#lib/support/storable-json";

/** Runs in a separate thread (build-in-thread): one request, one answer. */
function answer({ documentJson, documentText, operations, beforeJson, ...source }: BuildOrder): ThreadAnswer {
  try {
    const given = documentText ?? (documentJson === null ? null : (JSON.parse(documentJson) as unknown));
    const document = operations ? documentOf(source.name, operations) : given;
    const { definition, findings, suggested } = buildDefinition({ ...source, document });
    const before = beforeJson === null ? null : (JSON.parse(beforeJson) as CustomDefinition);
    return {
      built: {
        // Text that is created here and stored as it is, so it costs the requesting process nothing.
        definitionJson: storableJson(definition),
        routes: listRoutes(definition),
        findings,
        suggested: operations ? NOTHING_SUGGESTED : suggested,
        changes: before && compareConnectors(before, definition),
      },
    };
  } catch (error) {
    if (error instanceof BuildRefused) return { refused: error.finding };
    throw error;
  }
}

parentPort?.postMessage(answer(workerData as BuildOrder));
