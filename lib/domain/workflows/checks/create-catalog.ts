import { jsonSchema } from "#lib/connectors/describe-connectors";
import { MCP } from "#lib/connectors/mcp/connector";
import { findOperation } from "#lib/connectors/registry";
import type { GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import { LIMITS } from "#lib/contract/limits";
import { ANY_OBJECT, closedObject, type ObjectShape, type Shape, scalar, UNKNOWN } from "#lib/core/shapes/shape";
import { shapeOfActionOutput, shapeOfSchema } from "#lib/core/shapes/shape-of-schema";
import type { Catalog } from "#lib/core/steps/define-step-kind";
import type { StoredTools } from "#lib/domain/connections/tools/stored-tools";
import type { Surroundings } from "#lib/domain/workflows/checks/load-surroundings";
import { shapeOfCode } from "#lib/domain/workflows/checks/shape-of-code";
import { weighProgram } from "#lib/domain/workflows/checks/weigh-program";

/** An operation's schema never changes while the process runs, and reading it takes up to a millisecond. */
const builtIn = new WeakMap<GuidedOperation, Shape>();

/** Describes what exists outside a definition to the checks of the core. */
export function createCatalog({ actions, connectors, servers }: Surroundings): Catalog {
  let charactersLeft: number = LIMITS.checkedProgramCharacters;
  return {
    readCode: (source) => {
      charactersLeft -= weighProgram(source);
      return charactersLeft < 0 ? UNKNOWN : shapeOfCode(source);
    },
    findOutput: (connector, operation, connectionId) => {
      if (connector === MCP) return toolOutput(servers.get(connectionId ?? ""), operation);
      const custom = connectors.get(connector)?.operations.find(({ name }) => name === operation);
      if (custom) return customOutput(shapeOfSchema(custom.outputSchema));
      const found = findOperation(connector, operation);
      return found === null ? UNKNOWN : outputOf(found);
    },
    findActionOutput: (slug) => shapeOfActionOutput(actions.get(slug)?.output_schema ?? null),
  };
}

function outputOf(operation: GuidedOperation): Shape {
  const before = builtIn.get(operation);
  if (before !== undefined) return before;
  const shape = operation.guide ? shapeOfSchema(jsonSchema(operation.guide.output)) : UNKNOWN;
  builtIn.set(operation, shape);
  return shape;
}

/** Only the structured content has a schema. A tool without one may return JSON as its text, or none. */
function toolOutput(server: StoredTools | undefined, operation: string): Shape {
  const schema = server?.tools.find(({ name }) => name === operation)?.outputSchema ?? null;
  return ours(
    closedObject(
      ["data", schema === null ? UNKNOWN : shapeOfSchema(schema), "The structured result of the tool"],
      ["text", scalar("string"), "The text of the result"],
      ["content", { kind: "array", items: UNKNOWN }, "Every part of the result: text, images, resources"],
    ),
  );
}

function customOutput(body: Shape): Shape {
  return ours(closedObject(["status", scalar("integer")], ["headers", ANY_OBJECT], ["body", body]));
}

/** Marks the object that Signalbox puts around what a service returned. */
function ours(envelope: ObjectShape): Shape {
  return { ...envelope, isOurs: true };
}
