import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import { rewritePaths } from "#lib/core/expressions/rewrite-paths";
import { setOwn } from "#lib/support/json";

/**
 * Replaces the names of steps in every expression of a text. `\{{` stays literal, and only the name at the start of a path
 * counts: `{{a.old}}` keeps its path (decisions, The graph document). An expression that someone has not finished changes,
 * too, if it starts with the name.
 */
function rewriteText(text: string, names: ReadonlyMap<string, string>): string {
  if (!text.includes("{{")) return text;
  return rewritePaths(
    text,
    ({ name }, written) => (names.get(name) ?? name) + written.slice(name.length),
    (rest) => rewriteUnfinished(rest, names),
  );
}

function rewriteUnfinished(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(
    /\\\{\{|(\{\{\s*)([A-Za-z_][A-Za-z0-9_]*)(?=\s*[.[}])/g,
    (match, open?: string, name?: string) => {
      if (open === undefined || name === undefined) return match;
      return `${open}${names.get(name) ?? name}`;
    },
  );
}

/** Rewrites all texts in a value. Returns the same reference if nothing had to change. */
export function mapTexts<T>(value: T, rewrite: (text: string) => string): T {
  if (typeof value === "string") return rewrite(value) as T;
  if (value === null || typeof value !== "object") return value;
  return (Array.isArray(value) ? mapItems(value, rewrite) : mapMembers(value as JsonObject, rewrite)) as T;
}

function mapItems(items: unknown[], rewrite: (text: string) => string): unknown[] {
  let copy: unknown[] | null = null;
  for (const [index, item] of items.entries()) {
    const mapped = mapTexts(item, rewrite);
    if (mapped === item) continue;
    copy ??= items.slice();
    copy[index] = mapped;
  }
  return copy ?? items;
}

function mapMembers(object: JsonObject, rewrite: (text: string) => string): JsonObject {
  let copy: JsonObject | null = null;
  for (const key of Object.keys(object)) {
    const mapped = mapTexts(object[key], rewrite);
    if (mapped === object[key]) continue;
    copy ??= { ...object };
    setOwn(copy, key, mapped);
  }
  return copy ?? object;
}

export function rewriteReferences<T>(value: T, names: ReadonlyMap<string, string>): T {
  return mapTexts(value, (text) => rewriteText(text, names));
}

/** Changes the id of one node and updates every edge and expression that refers to it. */
export function changeNodeId(definition: Definition, from: string, to: string): Definition {
  if (from === to) return definition;
  const names = new Map([[from, to]]);
  return {
    nodes: definition.nodes.map((node) => {
      const data = rewriteReferences(node.data, names);
      const parentId = node.parentId === from ? to : node.parentId;
      if (node.id !== from && data === node.data && parentId === node.parentId) return node;
      return { ...node, id: node.id === from ? to : node.id, data, ...(parentId === undefined ? {} : { parentId }) };
    }),
    edges: definition.edges.map((edge) => {
      if (edge.source !== from && edge.target !== from) return edge;
      return {
        ...edge,
        source: edge.source === from ? to : edge.source,
        target: edge.target === from ? to : edge.target,
      };
    }),
  };
}
