import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { maskData, typedSecretsOf } from "#lib/core/graph/checks/typed-secrets";
import { findMasks } from "#lib/core/redaction/find-credentials";
import { REDACTED } from "#lib/core/redaction/redact-text";
import { restoreRedacted } from "#lib/core/redaction/restore-redacted";
import { getPath } from "#lib/support/get-path";
import { canonicalJson, isJsonObject } from "#lib/support/json";

/**
 * Returns a changed definition with the secrets of the definition before it: a caller who read the mask and sends it back
 * keeps the secret. It stays a mask if a setting changed that can decide where the secret goes, because the caller could
 * send it to a recipient of their own.
 */
export function keepSecrets(changed: Definition, before: Definition): Definition {
  const former = new Map(before.nodes.map((node) => [node.id, node]));
  const nodes = changed.nodes.map((node) => {
    const was = former.get(node.id);
    if (!was || findMasks(node.data).length === 0 || typedSecretsOf(was).length === 0) return node;
    const shown = { ...was, data: maskData(was) };
    if (findDecidingChange(node, shown, secretPathsOf(was), isMask) !== null) return node;
    return { ...node, data: restoreRedacted(node.data, shown.data, was.data).value };
  });
  return nodes.every((node, index) => node === changed.nodes[index]) ? changed : { ...changed, nodes };
}

export function isMask(text: string): boolean {
  return text.includes(REDACTED);
}

/** The dotted paths of a node's secrets. */
export function secretPathsOf(node: GraphNode): ReadonlySet<string> {
  return new Set(typedSecretsOf(node).map(({ path }) => path.join(".")));
}

/**
 * Finds the first setting that changed and can decide where the secrets of a node go. A secret that the caller replaced
 * with a value of their own does not count.
 * @param secrets the dotted paths of the secrets
 * @param keeps returns true for a text that still contains a secret, or its mask
 * @returns null if there is none
 */
export function findDecidingChange(
  node: GraphNode,
  was: GraphNode,
  secrets: ReadonlySet<string>,
  keeps: (text: string) => boolean,
): string | null {
  if (node.type !== was.type) return "type";
  const holders = new Set([...secrets].map((field) => field.split(".", 2).join(".")));
  for (const path of changedPaths(was.data, node.data)) {
    const field = path.join(".");
    const now = getPath(node.data, path);
    const isReplaced = secrets.has(field) && !(typeof now === "string" && keeps(now));
    if (!isReplaced && !isFree(was, path, holders)) return field;
  }
  return null;
}

/** Settings of any step that change nothing about what it sends. */
const FREE = new Set(["name", "maxRetries", "retryBackoff", "retryWaitSeconds", "continueOnFailure"]);
/** The generic HTTP request sends them to the same address. */
const FREE_OF_HTTP = new Set(["method", "query", "body", "timeout_ms"]);

/**
 * Returns true for a setting that cannot change the recipient. A parameter with a secret is not free: what is next to the
 * secret can say where it goes.
 * @param holders the settings with a secret, and the parameters with one
 */
function isFree({ type, data }: GraphNode, [first, second]: ValuePath, holders: ReadonlySet<string>): boolean {
  if (FREE.has(String(first))) return true;
  const isHttp = type === "connector" && data.connector === "http" && data.operation === "request";
  if (!isHttp || first !== "params" || !FREE_OF_HTTP.has(String(second))) return false;
  return !holders.has(`params.${second}`);
}

type ValuePath = readonly (string | number)[];

/**
 * Lists the places at which two JSON values differ, as deep as both have the same shape. If items of a list were added or
 * removed, the list itself is the place.
 */
function changedPaths(was: unknown, now: unknown, path: ValuePath = []): ValuePath[] {
  if (was === now) return [];
  if (isJsonObject(was) && isJsonObject(now)) {
    const keys = new Set([...Object.keys(was), ...Object.keys(now)]);
    return [...keys].flatMap((key) => changedPaths(own(was, key), own(now, key), [...path, key]));
  }
  if (Array.isArray(was) && Array.isArray(now) && was.length === now.length) {
    return was.flatMap((item, index) => changedPaths(item, now[index], [...path, index]));
  }
  return canonicalJson(was ?? null) === canonicalJson(now ?? null) ? [] : [path];
}

function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
