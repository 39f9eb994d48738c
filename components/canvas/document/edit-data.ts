import type { Definition } from "#lib/contract/workflow/graph";

export type Path = readonly (string | number)[];

/** Returns `path` as the dotted name that problems use for a field: ["rules", 0, "left"] becomes rules.0.left. */
export function fieldName(path: Path): string {
  return path.join(".");
}

/**
 * Returns the value with the part at `path` replaced; undefined removes a key or an item. Copies only the changed path.
 */
export function replaceAt(value: unknown, path: Path, next: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return next;
  if (Array.isArray(value)) {
    const index = Number(key);
    if (rest.length === 0 && next === undefined) return value.filter((_, at) => at !== index);
    const copy = [...value];
    copy[index] = replaceAt(value[index], rest, next);
    return copy;
  }
  const object = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  const child = replaceAt(object[key], rest, next);
  if (child !== undefined) return { ...object, [key]: child };
  const { [String(key)]: _removed, ...others } = object;
  return others;
}

/** Returns the definition with one field of one node's data changed. */
export function editNodeData(definition: Definition, nodeId: string, path: Path, next: unknown): Definition {
  return {
    ...definition,
    nodes: definition.nodes.map((node) =>
      node.id === nodeId ? { ...node, data: replaceAt(node.data, path, next) as Record<string, unknown> } : node,
    ),
  };
}

/** Returns the definition with some nodes moved, or the same definition when nothing moved. */
export function moveNodes(
  definition: Definition,
  positions: Readonly<Record<string, { x: number; y: number }>>,
): Definition {
  let hasMoved = false;
  const nodes = definition.nodes.map((node) => {
    const next = positions[node.id];
    if (next === undefined || (next.x === node.position.x && next.y === node.position.y)) return node;
    hasMoved = true;
    return { ...node, position: { x: next.x, y: next.y } };
  });
  return hasMoved ? { ...definition, nodes } : definition;
}
