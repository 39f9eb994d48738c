import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { templateReferences } from "#lib/core/expressions/template-references";
import { findDecidingChange } from "#lib/core/graph/checks/keep-secrets";
import { listTemplates } from "#lib/core/graph/checks/list-templates";
import { typedSecretsOf } from "#lib/core/graph/checks/typed-secrets";
import { findNamedNode, indexGraph } from "#lib/core/graph/edges";
import { programOf } from "#lib/core/steps/define-step-kind";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { getPath } from "#lib/support/get-path";

/** A step that has a secret, or reads one from the output of another step. */
export interface SecretHolder {
  /** The step with the secret, as it was. */
  owner: GraphNode;
  /** The step itself, as it is now. */
  node: GraphNode;
}

interface Read {
  /** The dotted path of the setting that reads. */
  field: string;
  /** The first key behind the step's name; null for the whole output. */
  key: string | null;
}

const EVERYTHING: ReadonlySet<string> = new Set();

/**
 * Follows secrets from the outputs of steps to the steps that read them: a caller who cannot read a secret must not add a
 * step that reads it, or change where one sends it.
 * @param kept the steps that have a secret
 * @returns the steps that read a secret, and the first of them that changed, with the setting
 */
export function findSecretReaders(kept: readonly SecretHolder[], changed: Definition, before: Definition) {
  const former = new Map(before.nodes.map((node) => [node.id, node]));
  const readers: SecretHolder[] = [];
  const waiting = kept.map((holder) => ({ ...holder, keys: keysOf(holder.node, secretFields(holder.node)) }));
  if (!waiting.some(({ keys }) => keys !== null)) return { readers, change: null };
  const readsOf = indexReads(changed);
  const seen = new Set<string>();
  // The list grows during the iteration.
  for (const { owner, node: source, keys } of waiting) {
    for (const [node, reads] of keys === null ? [] : (readsOf.get(source) ?? [])) {
      const fields = reads.filter(({ key }) => key === null || keys === EVERYTHING || keys?.has(key));
      const [first] = fields;
      const was = former.get(node.id);
      if (!first) continue;
      const places = new Set(fields.map(({ field }) => field));
      const field = was ? findDecidingChange(node, was, places, () => true) : first.field;
      if (field !== null) return { readers, change: { owner, changedId: node.id, field } };
      readers.push({ owner, node });
      const next = keysOf(node, [...places]);
      const mark = `${node.id} ${next === null || next === EVERYTHING ? "" : [...next].sort().join(" ")}`;
      if (!seen.has(mark)) waiting.push({ owner, node, keys: next });
      seen.add(mark);
    }
  }
  return { readers, change: null };
}

function secretFields(node: GraphNode): string[] {
  return typedSecretsOf(node).map(({ path }) => path.join("."));
}

/** Returns the keys of a step's output that repeat some of its settings; null if its output repeats none. */
function keysOf({ type, data }: GraphNode, fields: readonly string[]): ReadonlySet<string> | null {
  if (!STEP_KINDS[type].repeatsSettings) return null;
  const names = fields.map((field) => {
    const [list = "", index = ""] = field.split(".");
    return list === "fields" || list === "properties" ? getPath(data, [list, index, "name"]) : null;
  });
  return names.every((name) => typeof name === "string") ? new Set(names) : EVERYTHING;
}

/** Lists which steps read from each step, and with which settings. */
function indexReads(definition: Definition): Map<GraphNode, Map<GraphNode, Read[]>> {
  const index = indexGraph(definition);
  const found = new Map<GraphNode, Map<GraphNode, Read[]>>();
  const add = (reader: GraphNode, name: string, read: Read) => {
    const source = findNamedNode(index, name);
    if (source === null) return;
    const readers = found.get(source) ?? new Map<GraphNode, Read[]>();
    const reads = readers.get(reader) ?? [];
    reads.push(read);
    found.set(source, readers.set(reader, reads));
  };
  for (const node of definition.nodes) {
    for (const { field, text } of listTemplates(node)) {
      for (const { name, path } of templateReferences(text)) {
        add(node, name, { field, key: path.length === 0 ? null : String(path[0]) });
      }
    }
    const kind = STEP_KINDS[node.type];
    if (kind.program?.language !== "jsonata") continue;
    // An expression gets the output of every step whose id is one of its words.
    const words = programOf(kind, node.data)?.match(/[A-Za-z_][A-Za-z0-9_]*/g);
    for (const name of new Set(words)) add(node, name, { field: kind.program.field, key: null });
  }
  return found;
}
