"use client";

import { useMemo } from "react";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { upstreamIds } from "#lib/core/graph/edges";
import { UNKNOWN } from "#lib/core/shapes/shape";
import { shapeOfActionOutput, shapeOfSchema } from "#lib/core/shapes/shape-of-schema";
import type { Catalog } from "#lib/core/steps/define-step-kind";
import { useOperationAnswers } from "@/components/api/operation-hooks";
import type { Analysis } from "@/components/canvas/document/analysis";
import { loopsAround } from "@/components/canvas/document/frames";

/** Long, because every answer is about a step that the user does not edit. A refresh of tools asks again at once. */
const OPTIONS = { staleTime: 300_000 };

/**
 * Asks once for what each operation and action that earlier steps call declares as its output. Undefined as long as
 * nothing is declared.
 * @param options.withOwn also asks for the step itself, whose settings must not be changing: a slug that is being typed
 * names no action
 */
export function useDeclaredOutputs(
  { index }: Analysis,
  nodeId: string,
  { withOwn = false }: { withOwn?: boolean } = {},
): Catalog | undefined {
  const nodes = useMemo(() => {
    const ids = upstreamIds(index, nodeId).add(nodeId);
    const isRead = ({ id }: GraphNode) =>
      ids.has(id) || loopsAround(index.definition, id).some((loop) => ids.has(loop));
    return index.definition.nodes.filter((node) => (node.id !== nodeId || withOwn) && isRead(node));
  }, [index, nodeId, withOwn]);
  const operations = useOperationAnswers("get_operation_schema", distinct(nodes.flatMap(calledOperation)), OPTIONS);
  const actions = useOperationAnswers("get_action", distinct(nodes.flatMap(calledAction)), OPTIONS);
  return useMemo(() => {
    const outputs = new Map(
      operations.flatMap((found) => (found === undefined ? [] : [[keyOf(found), shapeOfSchema(found.output_schema)]])),
    );
    const returned = new Map(
      actions.flatMap((found) => (found === undefined ? [] : [[found.slug, shapeOfActionOutput(found.outputSchema)]])),
    );
    if (outputs.size + returned.size === 0) return undefined;
    return {
      findOutput: (connector, operation, connectionId) =>
        outputs.get(keyOf(operationInput(connector, operation, connectionId))) ?? UNKNOWN,
      findActionOutput: (slug) => returned.get(slug) ?? UNKNOWN,
      readCode: () => UNKNOWN,
    };
  }, [operations, actions]);
}

interface OperationInput {
  connector: string;
  operation: string;
  connection_id?: string;
}

/** The same input as that of the form, so that both share an answer. Only the tools of a server belong to a connection. */
function operationInput(connector: string, operation: string, connectionId: unknown): OperationInput {
  const isTool = connector === "mcp" && typeof connectionId === "string";
  return { connector, operation, ...(isTool ? { connection_id: connectionId } : {}) };
}

/** The output of an HTTP request is known without asking. */
function calledOperation({ type, data }: GraphNode): OperationInput[] {
  const { connector, operation, connection_id: connectionId } = data;
  if (type !== "connector" || typeof connector !== "string" || typeof operation !== "string") return [];
  if (connector === "" || connector === "http" || operation === "") return [];
  return connector === "mcp" && !connectionId ? [] : [operationInput(connector, operation, connectionId)];
}

function calledAction({ type, data: { action_slug: slug } }: GraphNode): { slug: string }[] {
  return type === "sub_workflow" && typeof slug === "string" && slug !== "" ? [{ slug }] : [];
}

function distinct<T>(inputs: readonly T[]): T[] {
  return [...new Map(inputs.map((input) => [JSON.stringify(input), input])).values()];
}

function keyOf({ connector, operation, connection_id: connectionId = "" }: OperationInput): string {
  return JSON.stringify([connector, operation, connectionId]);
}
