import { compareTools } from "#lib/connectors/mcp/compare-tools";
import { MCP } from "#lib/connectors/mcp/connector";
import type { ToolDefinition } from "#lib/connectors/mcp/tool-definition";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { fixValue } from "#lib/core/graph/checks/fix-text";
import { nodeProblem, nodeWarning } from "#lib/core/graph/checks/problem";
import type { NodeShapes } from "#lib/core/graph/node-shapes";
import { describeShape } from "#lib/core/shapes/describe-shape";
import { findMisfit } from "#lib/core/shapes/find-misfit";
import { shapeOfValue } from "#lib/core/shapes/shape";
import { shapeOfSchema } from "#lib/core/shapes/shape-of-schema";
import { toolKey } from "#lib/domain/connections/tools/pin-tools";
import { missingConnection } from "#lib/domain/workflows/checks/check-destinations";
import { isTemplated, unknownKeys } from "#lib/domain/workflows/checks/check-params";
import type { Surroundings } from "#lib/domain/workflows/checks/load-surroundings";
import { isJsonObject } from "#lib/support/json";
import { listSuggestions } from "#lib/support/list-suggestions";

/** Checks the steps that call tools of MCP servers: that the tool exists, its arguments, and whether it has changed. */
export function checkTools({ nodes }: Definition, shapes: NodeShapes, surroundings: Surroundings): GraphProblem[] {
  return nodes.flatMap((node) => {
    const { connector, operation, connection_id: id } = node.data;
    if (node.type !== "connector" || connector !== MCP) return [];
    if (typeof id !== "string" || id === "") return [missingConnection(node, surroundings)];
    if (typeof operation !== "string" || operation === "") return [];
    const server = surroundings.servers.get(id);
    if (!server) {
      const message = "the tools of its server have not been read. Open the connection and refresh its tools";
      return [nodeProblem(node, "UNKNOWN_OPERATION", message, "operation")];
    }
    const outdated = server.last_error === null ? [] : [warnOutdated(node, server.last_error, server.read_at)];
    const tool = server.tools.find(({ name }) => name === operation);
    if (!tool) return [...outdated, unknownTool(node, operation, server.tools)];
    const pinned = surroundings.pinnedTools.get(toolKey(id, operation));
    return [...outdated, ...(pinned ? warnChanged(node, pinned, tool) : []), ...checkArguments(node, tool, shapes)];
  });
}

function warnOutdated(node: GraphNode, error: string, readAt: Date): GraphProblem {
  const since = readAt.toISOString();
  const message = `its server could not be asked whether the tool has changed since ${since}: ${error}`;
  return nodeWarning(node, "TOOLS_OUTDATED", message, "operation");
}

function unknownTool(node: GraphNode, operation: string, tools: readonly ToolDefinition[]): GraphProblem {
  const names = tools.map(({ name }) => name);
  const { words, certain } = listSuggestions(operation, names, "the tools are");
  const fix = certain === null ? null : fixValue(node, "operation", () => certain);
  const problem = nodeProblem(node, "UNKNOWN_OPERATION", `its server has no tool "${operation}"${words}`, "operation");
  return fix === null ? problem : { ...problem, fix };
}

function warnChanged(node: GraphNode, before: ToolDefinition, after: ToolDefinition): GraphProblem[] {
  const { changes } = compareTools(before, after);
  if (changes.length === 0) return [];
  const message = `its server changed the tool ${after.name} since the last publish: it ${changes.join(", ")}`;
  return [nodeWarning(node, "TOOL_CHANGED", message, "operation")];
}

/** Checks what is known before a run: names, required values, and types. The step checks the rest before it sends. */
function checkArguments(node: GraphNode, { inputSchema }: ToolDefinition, shapes: NodeShapes): GraphProblem[] {
  const { params = {} } = node.data;
  if (!isJsonObject(params)) return [];
  const properties: JsonObject = isJsonObject(inputSchema.properties) ? inputSchema.properties : {};
  const required = Array.isArray(inputSchema.required) ? inputSchema.required.map(String) : [];
  const missing = required.filter((name) => !Object.hasOwn(params, name));
  return [
    ...missing.map((name) => nodeProblem(node, "INVALID_DATA", `params.${name} is required`, `params.${name}`)),
    ...unknownArguments(node, inputSchema, Object.keys(properties)),
    ...Object.entries(params).flatMap(([name, value]) => checkValue(node, name, value, properties[name], shapes)),
  ];
}

/** A tool that does not say that it takes nothing else ignores an unknown argument, or uses it. */
function unknownArguments(node: GraphNode, schema: JsonObject, names: readonly string[]): GraphProblem[] {
  const { additionalProperties: rest } = schema;
  if ((rest !== undefined && rest !== false) || Object.hasOwn(schema, "patternProperties")) return [];
  const unknown = unknownKeys(node, ["params"], names);
  return rest === false ? unknown : unknown.map((problem) => ({ ...problem, severity: "warning" }));
}

function checkValue(
  node: GraphNode,
  name: string,
  value: unknown,
  schema: unknown,
  shapes: NodeShapes,
): GraphProblem[] {
  if (!isJsonObject(schema)) return [];
  const field = `params.${name}`;
  const isKnown = !isTemplated({ value }, ["value"]);
  if (isKnown && Array.isArray(schema.enum) && typeof value !== "object" && !schema.enum.includes(value)) {
    const words = schema.enum.slice(0, 20).join(", ");
    return [nodeProblem(node, "INVALID_DATA", `${field} must be one of: ${words}`, field)];
  }
  const given = isKnown ? shapeOfValue(value) : shapes.ofTemplate(value);
  const misfit = findMisfit(given, shapeOfSchema(schema));
  if (misfit === null) return [];
  const place = [field, ...misfit.path].join(".");
  const message = `${place} must be ${describeShape(misfit.wanted)}, not ${describeShape(misfit.given)}`;
  return [
    isKnown ? nodeProblem(node, "INVALID_DATA", message, place) : nodeWarning(node, "TYPE_MISMATCH", message, place),
  ];
}
