import type { FieldChange, GraphChanges } from "#lib/contract/action/publish";
import type { Definition, GraphEdge, GraphNode } from "#lib/contract/workflow/graph";
import { maskCredentials } from "#lib/core/redaction/find-credentials";
import { nodeLabel } from "#lib/core/steps/node-data";
import { SEALED_PREFIX } from "#lib/core/steps/trigger/trigger-data";
import { canonicalJson, isJsonObject } from "#lib/support/json";

/**
 * Lists the differences between two definitions: steps by id, their configuration field by field, edges by their ends.
 */
export function compareDefinitions(before: Definition, after: Definition): GraphChanges {
  const was = new Map(before.nodes.map((node) => [node.id, node]));
  const now = new Map(after.nodes.map((node) => [node.id, node]));
  const [linesWere, linesAre] = [lineKeys(before.edges), lineKeys(after.edges)];
  return {
    added: after.nodes.filter((node) => !was.has(node.id)).map(nameNode),
    removed: before.nodes.filter((node) => !now.has(node.id)).map(nameNode),
    changed: after.nodes.flatMap((node) => {
      const former = was.get(node.id);
      const fields = former === undefined ? [] : nodeChanges(former, node);
      return fields.length === 0 ? [] : [{ ...nameNode(node), fields }];
    }),
    lines_added: [...linesAre].filter((key) => !linesWere.has(key)).length,
    lines_removed: [...linesWere].filter((key) => !linesAre.has(key)).length,
  };
}

function nameNode(node: GraphNode) {
  return { node_id: node.id, type: node.type, name: nodeLabel(node) };
}

function lineKeys(edges: readonly GraphEdge[]): Set<string> {
  return new Set(edges.map(({ source, target, sourceHandle }) => JSON.stringify([source, target, sourceHandle ?? ""])));
}

function nodeChanges(was: GraphNode, now: GraphNode): FieldChange[] {
  return [
    ...valueChanges("type", was.type, now.type),
    ...valueChanges("loop", was.parentId, now.parentId),
    ...valueChanges("", was.data, now.data),
  ];
}

/**
 * Compares objects key by key and everything else as a whole, because a part of a list or text means nothing on its
 * own.
 */
function valueChanges(field: string, was: unknown, now: unknown): FieldChange[] {
  if (was === now) return [];
  if (isJsonObject(was) && isJsonObject(now)) {
    const keys = new Set([...Object.keys(was), ...Object.keys(now)]);
    return [...keys].flatMap((key) =>
      valueChanges(field === "" ? key : `${field}.${key}`, own(was, key), own(now, key)),
    );
  }
  if (canonicalJson(was ?? null) === canonicalJson(now ?? null)) return [];
  return [
    {
      field,
      ...(was === undefined ? {} : { was: shown(field, was) }),
      ...(now === undefined ? {} : { now: shown(field, now) }),
    },
  ];
}

function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Of an encrypted secret, shows only that it exists; a secret that someone typed is masked. */
function shown(field: string, value: unknown): unknown {
  if (typeof value === "string" && value.startsWith(SEALED_PREFIX)) return "(secret)";
  return maskCredentials(value, field.split(".").at(-1) ?? null);
}
