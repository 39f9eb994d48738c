import { z } from "zod";
import { checkOperationParams } from "#lib/connectors/custom/check-operation-params";
import type { ValueProblem } from "#lib/connectors/custom/check-value";
import type { CustomDefinition } from "#lib/connectors/custom/custom-definition";
import type { GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { plainMessage } from "#lib/core/graph/checks/check-node-data";
import { renameKey } from "#lib/core/graph/checks/create-fix";
import { suggestKey } from "#lib/core/graph/checks/meant/suggest-key";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import { missingConnection } from "#lib/domain/workflows/checks/check-destinations";
import type { Surroundings } from "#lib/domain/workflows/checks/load-surroundings";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";
import { parseGiven } from "#lib/support/leave-out-nulls";

/** Checks the params of a step against the schema of its operation: names, required values, and values without templates. */
export function checkParams(
  node: GraphNode,
  { guide, needsConnection }: GuidedOperation,
  surroundings: Surroundings,
): GraphProblem[] {
  const { connection_id: id, connector } = node.data;
  const params = node.data.params ?? {};
  const issues = guide
    ? (parseGiven<z.ZodType>(guide.params, params, { error: plainMessage }).error?.issues ?? [])
    : [];
  const isReported = (path: PropertyKey[]) => connector === "http" && path[0] === "url";
  const invalid = issues.filter(({ path }) => !isReported(path) && !isTemplated(params, path as (string | number)[]));
  return [
    ...(needsConnection && !id ? [missingConnection(node, surroundings)] : []),
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

/**
 * Checks the params of a step that calls a custom connector against the schemas of its document. What a template will be is
 * checked when the step runs.
 */
export function checkCustomParams(
  node: GraphNode,
  { auth }: CustomDefinition,
  operation: CustomDefinition["operations"][number],
  surroundings: Surroundings,
): GraphProblem[] {
  const { connection_id: id, params } = node.data;
  const isOpen = (value: unknown) => typeof value === "string" && value.includes("{{");
  const problems = checkOperationParams(operation, isJsonObject(params) ? params : {}, { isOpen });
  const missing = auth !== "none" && !id ? [missingConnection(node, surroundings)] : [];
  return [...missing, ...problems.map((one) => toProblem(node, one))];
}

function toProblem(node: GraphNode, { path, kind, message, known = [] }: ValueProblem): GraphProblem {
  const at = ["params", ...path.map(String)];
  const field = at.join(".");
  if (kind !== "unknown") return nodeProblem(node, "INVALID_DATA", `${field} ${message}`, field);
  const wrong = at.pop() ?? "";
  const { certain } = suggestKey(wrong, known);
  const fix = certain === null ? null : renameKey(node, at, wrong, certain);
  const problem = nodeProblem(node, "UNKNOWN_KEY", `${field} ${message}`, field);
  return fix === null ? problem : { ...problem, fix };
}

function isAbsent(value: unknown): boolean {
  return value === null || value === "";
}

/** Reports names that the service would never get. */
export function unknownKeys(node: GraphNode, at: readonly string[], known: readonly string[]): GraphProblem[] {
  const given = getPath(node.data, at);
  if (!isJsonObject(given)) return [];
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const { words, certain } = suggestKey(name, known, "its parameters are");
      const field = [...at, name].join(".");
      const fix = certain === null ? null : renameKey(node, at, name, certain);
      const problem = nodeProblem(node, "UNKNOWN_KEY", `${field} is not a parameter of the operation${words}`, field);
      return fix === null ? problem : { ...problem, fix };
    });
}

/** The value of a template is only known when the step runs. */
export function isTemplated(params: unknown, path: readonly (string | number)[]): boolean {
  return path
    .map((_, at) => getPath(params, path.slice(0, at + 1)))
    .some((value, at) => {
      const isLast = at === path.length - 1;
      return typeof value === "string" ? value.includes("{{") : isLast && (JSON.stringify(value) ?? "").includes("{{");
    });
}
