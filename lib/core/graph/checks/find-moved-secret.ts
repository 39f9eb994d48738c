import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { parseTemplate } from "#lib/core/expressions/parse-template";
import { rewriteExpression } from "#lib/core/expressions/rewrite-paths";
import { templateReferences } from "#lib/core/expressions/template-references";
import { findSecretReaders, type SecretHolder } from "#lib/core/graph/checks/find-secret-reader";
import { findDecidingChange, isMask, secretPathsOf } from "#lib/core/graph/checks/keep-secrets";
import { listTemplates } from "#lib/core/graph/checks/list-templates";
import { maskData, typedSecretsOf } from "#lib/core/graph/checks/typed-secrets";
import { findNamedNode, indexGraph } from "#lib/core/graph/edges";
import type { TypedCredential } from "#lib/core/redaction/find-credentials";
import { getPath } from "#lib/support/get-path";
import { canonicalJson } from "#lib/support/json";

/** A change that could send a secret to another recipient. */
export interface MovedSecret {
  /** The step with the secret, as it was. */
  node: GraphNode;
  /** The dotted path of the secret. */
  secret: string;
  /** The id of the step that changed, and its setting. */
  changedId: string;
  field: string;
}

/**
 * Finds the first change after which a step still has a secret, or its mask, although something changed that can decide
 * where the secret goes: a setting of the step, of a step whose output is part of its address, or of a step that reads the
 * secret from an output. A caller who cannot read the secret must not make it.
 * @param changed after keepSecrets
 */
export function findMovedSecret(changed: Definition, before: Definition): MovedSecret | null {
  const formers = before.nodes.filter((node) => typedSecretsOf(node).length > 0);
  if (formers.length === 0) return null;
  const nodes = new Map(changed.nodes.map((node) => [node.id, node]));
  const removed = formers.filter(({ id }) => !nodes.has(id));
  const renamed = findRenamed(changed, before, removed);
  if (!Array.isArray(renamed)) return renamed;
  const kept: SecretHolder[] = [...renamed];
  for (const former of formers) {
    const node = nodes.get(former.id);
    const field = node ? findChange(node, former) : null;
    if (node && field !== null) return { ...secretOf(former), changedId: node.id, field };
    if (node && isKept(node, former)) kept.push({ owner: former, node });
  }
  const { readers, change } = findSecretReaders(kept, changed, before);
  if (change) return { ...secretOf(change.owner), changedId: change.changedId, field: change.field };
  return findChangeBefore([...kept, ...readers], changed, before);
}

function secretOf(node: GraphNode): Pick<MovedSecret, "node" | "secret"> {
  return { node, secret: typedSecretsOf(node)[0]?.path.join(".") ?? "" };
}

/** @returns the former steps that only have another id now, or the first one that has another setting, too */
function findRenamed(
  { nodes }: Definition,
  before: Definition,
  removed: readonly GraphNode[],
): SecretHolder[] | MovedSecret {
  const keeps = keeperOf(removed.flatMap(typedSecretsOf));
  const known = new Set(before.nodes.map(({ id }) => id));
  const bySettings = new Map(removed.map((node) => [settingsOf(node), node]));
  const renamed: SecretHolder[] = [];
  for (const node of nodes) {
    if (known.has(node.id) || !hasText(node.data, keeps)) continue;
    const former = bySettings.get(settingsOf(node));
    const [any] = removed;
    if (former) renamed.push({ owner: former, node });
    else if (any) return { ...secretOf(any), changedId: node.id, field: "id" };
  }
  return renamed;
}

function settingsOf({ type, data }: GraphNode): string {
  return canonicalJson([type, data]);
}

/** Returns true if a node contains a secret of the former one. */
function isKept(node: GraphNode, former: GraphNode): boolean {
  return hasText(node.data, keeperOf(typedSecretsOf(former)));
}

/** Returns the setting that changed in a step that keeps a secret or its mask; null if there is none. */
function findChange(node: GraphNode, former: GraphNode): string | null {
  const secrets = typedSecretsOf(former);
  const paths = secretPathsOf(former);
  if (isKept(node, former)) return findDecidingChange(node, former, paths, keeperOf(secrets));
  const hasMask = secrets.some(({ path, text }) => {
    const now = getPath(node.data, path);
    return typeof now === "string" && isMask(now) && !isMask(text);
  });
  return hasMask ? findDecidingChange(node, { ...former, data: maskData(former) }, paths, isMask) : null;
}

/**
 * Returns a function that recognizes the texts with secrets. Whole texts are enough: a caller who cannot read a secret
 * cannot copy a part of it. Only the names in expressions change, when another step is renamed.
 */
function keeperOf(secrets: readonly TypedCredential[]): (text: string) => boolean {
  const texts = new Set(secrets.map(({ text }) => withoutNames(text)));
  return (text) => texts.has(withoutNames(text));
}

function withoutNames(text: string): string {
  return parseTemplate(text)
    .parts.map((part) => {
      if (typeof part === "string") return part;
      return part.root.kind === "reference" ? "{{}}" : rewriteExpression(part, () => "");
    })
    .join("");
}

function hasText(value: unknown, matches: (text: string) => boolean): boolean {
  if (typeof value === "string") return matches(value);
  return typeof value === "object" && value !== null && Object.values(value).some((item) => hasText(item, matches));
}

/** Looks at the steps that recipients are read from, and at those that these read, each once. */
function findChangeBefore(kept: readonly SecretHolder[], changed: Definition, before: Definition): MovedSecret | null {
  const [was, now] = [indexGraph(before), indexGraph(changed)];
  const unchanged = new Set<string>();
  for (const { owner, node } of kept) {
    const names = recipientNames(node);
    // The list grows during the iteration.
    for (const name of names) {
      if (unchanged.has(name)) continue;
      const [source, current] = [findNamedNode(was, name), findNamedNode(now, name)];
      const field = source && current ? findDecidingChange(current, source, new Set(), () => true) : "id";
      if (source !== current && field !== null) return { ...secretOf(owner), changedId: name, field };
      unchanged.add(name);
      if (source) names.push(...listTemplates(source).flatMap(({ text }) => namesIn(text)));
    }
  }
  return null;
}

/** Lists the steps that a recipient is read from. Only connectors can have a template there. */
function recipientNames(node: GraphNode): string[] {
  if (node.type !== "connector") return [];
  const url = getPath(node.data, ["params", "url"]);
  if (node.data.connector === "http" && typeof url === "string") return hostNames(url);
  return listTemplates(node).flatMap(({ text }) => namesIn(text));
}

const BEFORE_HOST = /^[a-z0-9+.-]*:?[/\\]{2}/i;

/** Lists the steps that the address reads up to the end of its host. */
function hostNames(url: string): string[] {
  const names: string[] = [];
  for (const part of parseTemplate(url).parts) {
    if (typeof part !== "string") names.push(...part.references.map(({ name }) => name));
    else if (/[/\\?#]/.test(part.replace(BEFORE_HOST, ""))) break;
  }
  return names;
}

function namesIn(text: string): string[] {
  return templateReferences(text).map(({ name }) => name);
}
