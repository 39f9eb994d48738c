import { parentPort } from "node:worker_threads";
import { buildDefinition, documentOf } from "#lib/connectors/custom/build-definition";
import { compareConnectors } from "#lib/connectors/custom/compare-connectors";
import { BuildRefused, type CustomDefinition } from "#lib/connectors/custom/custom-definition";
import { listRoutes } from "#lib/connectors/custom/describe-operations";
import { NOTHING_SUGGESTED } from "#lib/connectors/custom/suggest-settings";
import type { ThreadAnswer } from "#lib/domain/custom-connectors/build-in-thread";
import type { BuildOrder } from "#lib/domain/custom-connectors/build-source";
import { storableJson } from "#lib/support/json";

/** Runs in a separate thread (build-in-thread): one answer to each request. */
function answer({ documentJson, documentBytes, operations, beforeJson, ...source }: BuildOrder): ThreadAnswer {
  try {
    const given = documentBytes ?? (documentJson === null ? null : (JSON.parse(documentJson) as unknown));
    const document = operations ? documentOf(source.name, operations) : given;
    const { definition, findings, suggested, summary } = buildDefinition({ ...source, document });
    const before = beforeJson === null ? null : (JSON.parse(beforeJson) as CustomDefinition);
    return {
      isWorn: false,
      built: {
        // Text that is created here and stored as it is, so it costs the requesting process nothing.
        definitionJson: storableJson(definition),
        routes: listRoutes(definition),
        findings,
        document: operations ? null : summary,
        suggested: operations ? NOTHING_SUGGESTED : suggested,
        changes: before && compareConnectors(before, definition),
      },
    };
  } catch (error) {
    if (error instanceof BuildRefused)
      return { isWorn: false, refused: error.finding, document: operations ? null : error.summary };
    throw error;
  }
}

parentPort?.on("message", (order: BuildOrder) => parentPort?.postMessage(answer(order)));
