import type { CustomDefinition } from "#lib/connectors/custom/custom-definition";
import { MCP } from "#lib/connectors/mcp/connector";
import { CONNECTORS, findConnector, findOperation, findTrigger } from "#lib/connectors/registry";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem, WorkflowType } from "#lib/contract/workflow/workflow";
import { checkPatterns } from "#lib/core/graph/checks/check-patterns";
import { fixValue } from "#lib/core/graph/checks/fix-text";
import { keepRelevant, MAX_PROBLEMS, nodeProblem, nodeWarning } from "#lib/core/graph/checks/problem";
import { errorsFirst, validateGraph } from "#lib/core/graph/checks/validate-graph";
import { deriveType } from "#lib/core/graph/derive-type";
import { ADDRESS_FIELD, indexGraph } from "#lib/core/graph/edges";
import { shapesOf } from "#lib/core/graph/node-shapes";
import { explainExpression } from "#lib/core/schedules/next-fires";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { checkActions } from "#lib/domain/workflows/checks/check-actions";
import { checkCallbackSchemas } from "#lib/domain/workflows/checks/check-callback-schemas";
import { checkDestinations } from "#lib/domain/workflows/checks/check-destinations";
import { checkCustomParams, checkParams } from "#lib/domain/workflows/checks/check-params";
import { checkPrograms } from "#lib/domain/workflows/checks/check-programs";
import { checkTools } from "#lib/domain/workflows/checks/check-tools";
import { createCatalog } from "#lib/domain/workflows/checks/create-catalog";
import type { Surroundings } from "#lib/domain/workflows/checks/load-surroundings";
import { parseGiven } from "#lib/support/leave-out-nulls";
import { listSuggestions } from "#lib/support/list-suggestions";

/**
 * Finds the mistakes in a definition. Errors prevent publishing.
 * @param fixedType the type since the first publish, which no later version may change (decisions, The graph document);
 * null before it
 */
export function findProblems(
  definition: Definition,
  fixedType: WorkflowType | null,
  surroundings: Surroundings,
): GraphProblem[] {
  const catalog = createCatalog(surroundings);
  const index = indexGraph(definition);
  const shapes = shapesOf(index, catalog);
  const found = [
    ...validateGraph(definition, undefined, catalog),
    ...checkPrograms(index, shapes),
    ...checkPatterns(definition),
    ...checkCallbackSchemas(definition),
    ...warnAddresses(definition),
    ...checkOperations(definition, surroundings),
    ...checkDestinations(definition, surroundings),
    ...checkTools(definition, shapes, surroundings),
    ...checkActions(definition, shapes, surroundings),
    ...checkTriggers(definition),
  ];
  const problems = errorsFirst(keepRelevant(definition, found)).slice(0, MAX_PROBLEMS);
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
  const { connector, event, connection_id: connectionId, params } = node.data;
  if (typeof connector !== "string" || typeof event !== "string" || connector === "" || event === "") return [];
  const trigger = findTrigger(connector, event);
  if (!trigger) {
    const field = findConnector(connector) ? "event" : "connector";
    const names =
      field === "event" ? Object.keys(findConnector(connector)?.triggers ?? {}) : CONNECTORS.map((item) => item.name);
    const { words } = listSuggestions(
      field === "event" ? event : connector,
      names,
      field === "event" ? "its events are" : undefined,
    );
    const message =
      field === "event"
        ? `the connector "${connector}" has no event "${event}"${words}`
        : `the connector "${connector}" does not exist${words}`;
    return [nodeProblem(node, "UNKNOWN_TRIGGER", message, field)];
  }
  if (typeof connectionId !== "string" || connectionId === "") {
    return [nodeProblem(node, "INVALID_DATA", "connection_id is required", "connection_id")];
  }
  const issues = trigger.params ? (parseGiven(trigger.params, params ?? {}).error?.issues ?? []) : [];
  return issues.map(({ path, message }) => {
    return nodeProblem(node, "INVALID_DATA", `params.${path.join(".")} ${message}`, `params.${path.join(".")}`);
  });
}

/** Finds steps that call an unknown operation, or call one with params that it does not take. */
function checkOperations(definition: Definition, surroundings: Surroundings): GraphProblem[] {
  return definition.nodes.flatMap((node) => {
    const { connector, operation } = node.data;
    if (node.type !== "connector" || typeof connector !== "string" || typeof operation !== "string") return [];
    if (operation === "" || connector === "" || connector === MCP) return [];
    const custom = surroundings.connectors.get(connector);
    const described = custom?.operations.find(({ name }) => name === operation);
    if (custom && described) return checkCustomParams(node, custom, described, surroundings);
    const found = custom ? null : findOperation(connector, operation);
    return found ? checkParams(node, found, surroundings) : [unknownOperation(node, custom)];
  });
}

/** Names the nearest operations; of a connector that does not exist, the nearest connectors. */
function unknownOperation(node: GraphNode, custom: CustomDefinition | undefined): GraphProblem {
  const { connector, operation } = node.data;
  const builtIn = findConnector(String(connector));
  const names = custom?.operations.map(({ name }) => name) ?? Object.keys(builtIn?.operations ?? {});
  const isKnown = custom !== undefined || builtIn !== null;
  const field = isKnown ? "operation" : "connector";
  const known = isKnown ? names : CONNECTORS.map(({ name }) => name);
  const { words, certain } = listSuggestions(
    String(node.data[field]),
    known,
    isKnown ? "its operations are" : undefined,
  );
  const message = isKnown
    ? `the operation "${operation}" does not exist in the connector "${connector}"${words}`
    : `the connector "${connector}" does not exist${words}`;
  const fix = certain === null ? null : fixValue(node, field, () => certain);
  const problem = nodeProblem(node, "UNKNOWN_OPERATION", message, field);
  return fix === null ? problem : { ...problem, fix };
}

/** Warns about steps that wait for a request to an address that no step passes on. */
function warnAddresses(definition: Definition): GraphProblem[] {
  const waiting = definition.nodes.filter((node) => STEP_KINDS[node.type].hasAddress);
  if (waiting.length === 0 || definition.nodes.some((node) => JSON.stringify(node.data).includes(ADDRESS_FIELD)))
    return [];
  return waiting.map((node) =>
    nodeWarning(
      node,
      "UNREAD_ADDRESS",
      `no step reads {{${node.id}.${ADDRESS_FIELD}}}, so the other system cannot learn which address to call`,
    ),
  );
}
