import { findConnector, findOperation, findTrigger } from "#lib/connectors/registry";
import type { GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import type { Definition, GraphNode } from "#lib/contract/graph";
import type { GraphProblem, WorkflowType } from "#lib/contract/workflow";
import { checkPatterns } from "#lib/core/graph/checks/check-patterns";
import { nodeProblem, unknownOperation } from "#lib/core/graph/checks/problem";
import { errorsFirst, MAX_PROBLEMS, validateGraph } from "#lib/core/graph/checks/validate-graph";
import { deriveType } from "#lib/core/graph/derive-type";
import { explainExpression } from "#lib/core/schedules/next-fires";
import { getPath } from "#lib/support/get-path";

/**
 * Finds the mistakes in a definition. Errors prevent publishing.
 * @param fixedType the type since the first publish, which no later version may change (decisions, The graph document);
 * null before it
 */
export function findProblems(definition: Definition, fixedType: WorkflowType | null): GraphProblem[] {
  const problems = errorsFirst([
    ...validateGraph(definition),
    ...checkPatterns(definition),
    ...checkOperations(definition),
    ...checkTriggers(definition),
  ]).slice(0, MAX_PROBLEMS);
  const type = deriveType(definition);
  if (fixedType === null || fixedType === type) return problems;
  const message = `This workflow was published as ${fixedType} and cannot become ${type}. Create a new workflow instead.`;
  return [{ severity: "error", code: "TYPE_FIXED", message }, ...problems];
}

/** Finds schedules that never fire, which only the calendar shows, and events that no connector here can receive. */
function checkTriggers(definition: Definition): GraphProblem[] {
  return definition.nodes.flatMap((node) => {
    if (node.type !== "trigger") return [];
    const { kind, mode, expression } = node.data;
    if (kind === "connector") return checkConnectorTrigger(node);
    if (kind !== "schedule" || mode !== "cron" || typeof expression !== "string") return [];
    // A wrong number of fields is already refused elsewhere.
    const message = expression.trim().split(/\s+/).length === 5 ? explainExpression(expression) : null;
    return message === null ? [] : [nodeProblem(node, "INVALID_DATA", `expression ${message}`, "expression")];
  });
}

/** Checks that a connector event exists and has a connection and its required params. */
function checkConnectorTrigger(node: GraphNode): GraphProblem[] {
  const { connector, event, connection_id: connectionId, params = {} } = node.data;
  if (typeof connector !== "string" || typeof event !== "string" || connector === "" || event === "") return [];
  const trigger = findTrigger(connector, event);
  if (!trigger) {
    const field = findConnector(connector) ? "event" : "connector";
    return [nodeProblem(node, "UNKNOWN_TRIGGER", `connector ${connector} has no event ${event}`, field)];
  }
  if (typeof connectionId !== "string" || connectionId === "") {
    return [nodeProblem(node, "INVALID_DATA", "connection_id is required", "connection_id")];
  }
  const issues = trigger.params?.safeParse(params).error?.issues ?? [];
  return issues.map(({ path, message }) => {
    return nodeProblem(node, "INVALID_DATA", `params.${path.join(".")} ${message}`, `params.${path.join(".")}`);
  });
}

/**
 * Finds steps that call an unknown operation. Those of custom connectors are known only to the workspace and are
 * checked there.
 */
function checkOperations(definition: Definition): GraphProblem[] {
  return definition.nodes.flatMap((node) => {
    const { connector, operation } = node.data;
    if (node.type !== "connector" || typeof connector !== "string" || typeof operation !== "string") return [];
    if (operation === "" || !findConnector(connector)) return [];
    const found = findOperation(connector, operation);
    return found ? checkCall(node, found) : [unknownOperation(node, connector, operation)];
  });
}

/** Checks what a service call requires: a connection, and the required params, whatever their values will be. */
function checkCall(node: GraphNode, { guide, needsConnection }: GuidedOperation): GraphProblem[] {
  if (!needsConnection) return [];
  const { connection_id: id, params = {} } = node.data;
  const isMissing = (path: PropertyKey[]) => {
    const value = getPath(params, path as (string | number)[]);
    return value === null || value === "";
  };
  const names = (guide?.params.safeParse(params).error?.issues ?? []).map(({ path }) => path).filter(isMissing);
  return [
    ...(id ? [] : [nodeProblem(node, "INVALID_DATA", "connection_id is required", "connection_id")]),
    ...names.map((path) => {
      const name = `params.${path.join(".")}`;
      return nodeProblem(node, "INVALID_DATA", `${name} is required`, name);
    }),
  ];
}
