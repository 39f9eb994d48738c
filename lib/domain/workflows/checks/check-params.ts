import { z } from "zod";
import type { CustomDefinition } from "#lib/connectors/custom/custom-definition";
import type { GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import type { GraphNode } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import { plainMessage } from "#lib/core/graph/checks/check-node-data";
import { listSuggestions } from "#lib/core/graph/checks/describe-dead-end";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import { renameKey } from "#lib/core/graph/checks/rename-key";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";

/** Checks the params of a step against the schema of its operation: names, required values, and values without templates. */
export function checkParams(node: GraphNode, { guide, needsConnection }: GuidedOperation): GraphProblem[] {
  const { connection_id: id, connector, params = {} } = node.data;
  const issues = guide?.params.safeParse(params, { error: plainMessage }).error?.issues ?? [];
  const isReported = (path: PropertyKey[]) => connector === "http" && path[0] === "url";
  const invalid = issues.filter(({ path }) => !isReported(path) && !isTemplated(params, path as (string | number)[]));
  return [
    ...(needsConnection && !id ? [missingConnection(node)] : []),
    ...invalid.map(({ path, message }) => {
      const name = ["params", ...path].join(".");
      const isMissing = isAbsent(getPath(params, path as (string | number)[]));
      return nodeProblem(node, "INVALID_DATA", `${name} ${isMissing ? "is required" : message}`, name);
    }),
    ...(guide?.params instanceof z.ZodObject && guide.params.def.catchall === undefined
      ? unknownKeys(node, ["params"], Object.keys(guide.params.shape))
      : []),
  ];
}

/** Checks the params of a step that calls a custom connector: names, and what its document requires. */
export function checkCustomParams(
  node: GraphNode,
  { auth }: CustomDefinition,
  { required, paramsSchema, bodyType }: CustomDefinition["operations"][number],
): GraphProblem[] {
  const { connection_id: id, params = {} } = node.data;
  const groups = isJsonObject(paramsSchema.properties) ? paramsSchema.properties : {};
  const names = [...Object.keys(groups), ...(bodyType === null ? [] : ["body"])];
  const missing = required.filter((name) => {
    const dot = name.indexOf(".");
    const path = dot < 0 ? [name] : [name.slice(0, dot), name.slice(dot + 1)];
    return isAbsent(getPath(params, path)) && !isTemplated(params, path);
  });
  return [
    ...(auth !== "none" && !id ? [missingConnection(node)] : []),
    ...missing.map((name) => nodeProblem(node, "INVALID_DATA", `params.${name} is required`, `params.${name}`)),
    ...unknownKeys(node, ["params"], names),
    ...["path", "query", "header"].flatMap((group) => {
      const properties = getPath(groups, [group, "properties"]);
      return isJsonObject(properties) ? unknownKeys(node, ["params", group], Object.keys(properties)) : [];
    }),
  ];
}

function missingConnection(node: GraphNode): GraphProblem {
  return nodeProblem(node, "INVALID_DATA", "connection_id is required", "connection_id");
}

function isAbsent(value: unknown): boolean {
  return value === null || value === "";
}

/** Reports names that the service would never get. */
function unknownKeys(node: GraphNode, at: readonly string[], known: readonly string[]): GraphProblem[] {
  const given = getPath(node.data, at);
  if (!isJsonObject(given)) return [];
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const { words, certain } = listSuggestions(name, known, { listsAll: true });
      const field = [...at, name].join(".");
      const fix = certain === null ? null : renameKey(node, at, name, certain);
      const problem = nodeProblem(node, "UNKNOWN_KEY", `${field} is not a parameter of the operation${words}`, field);
      return fix === null ? problem : { ...problem, fix };
    });
}

/** The value of a template is only known when the step runs. */
function isTemplated(params: unknown, path: readonly (string | number)[]): boolean {
  return path
    .map((_, at) => getPath(params, path.slice(0, at + 1)))
    .some((value, at) => {
      const isLast = at === path.length - 1;
      return typeof value === "string" ? value.includes("{{") : isLast && (JSON.stringify(value) ?? "").includes("{{");
    });
}
