import type { GraphNode } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import { fixValue } from "#lib/core/graph/checks/fix-text";
import { listTexts } from "#lib/core/graph/checks/list-templates";
import { nodeWarning } from "#lib/core/graph/checks/problem";
import type { GraphIndex } from "#lib/core/graph/edges";
import { isJsonObject } from "#lib/support/json";

/** `${name}`, `#{name}`, and `<%= name %>` of shells, programming languages, and other template languages. */
const FOREIGN = /[$#]\{\s{0,9}([A-Za-z_][\w.[\]]{0,200})\s{0,9}\}|<%=?\s{0,9}([A-Za-z_][\w.[\]]{0,200})\s{0,9}%>/g;
/** `{step.field}` in single braces. It is also a set in a formula or a part of other text, so its step must exist. */
const SINGLE = /(?<![{$#\\\w])\{([A-Za-z_]\w{0,63}(?:\.\w{1,64}){1,9})\}(?!\})/g;
/** An environment variable that a script in the text reads. */
const ENVIRONMENT = /^[A-Z0-9_]+$/;

/** Warns about placeholders of other languages, which reach the service or the model as they are. */
export function checkPlaceholders(index: GraphIndex, upstream: ReadonlyMap<string, Set<string>>): GraphProblem[] {
  return index.definition.nodes.flatMap((node) => {
    const visible = upstream.get(node.id) ?? new Set<string>();
    return listTexts(node).flatMap(({ field, text }) => {
      const found = findPlaceholder(index, visible, text);
      return found === null ? [] : [describe(node, field, found)];
    });
  });
}

interface Placeholder {
  written: string;
  /** The expression that is meant; null if no step and no input has the name. */
  instead: string | null;
}

/** Finds the first placeholder of a text: after it is corrected, the next check finds the next one. */
function findPlaceholder(index: GraphIndex, visible: ReadonlySet<string>, text: string): Placeholder | null {
  if (text.includes("${") || text.includes("#{") || text.includes("<%")) {
    for (const [written, braced, tagged] of text.matchAll(FOREIGN)) {
      const path = braced ?? tagged ?? "";
      const instead = resolve(index, visible, path);
      if (instead !== null || !ENVIRONMENT.test(path)) return { written, instead };
    }
  }
  if (!text.includes("{")) return null;
  for (const [written, path = ""] of text.matchAll(SINGLE)) {
    const instead = resolve(index, visible, path);
    if (instead !== null) return { written, instead };
  }
  return null;
}

function resolve({ entry }: GraphIndex, visible: ReadonlySet<string>, path: string): string | null {
  const [head = "", ...rest] = path.split(/(?=[.[])/);
  if (head === entry?.type || (visible.has(head) && head !== entry?.id)) return `{{${path}}}`;
  const properties = entry?.type === "action_input" ? entry.data.properties : null;
  const names = Array.isArray(properties) ? properties.filter(isJsonObject).map(({ name }) => name) : [];
  if (names.includes(head)) return `{{action_input.${path}}}`;
  return head === "input" && names.includes(rest[0]?.slice(1)) ? `{{action_input${rest.join("")}}}` : null;
}

function describe(node: GraphNode, field: string, { written, instead }: Placeholder): GraphProblem {
  const advice = instead === null ? "Write {{step.field}} to insert a value" : `Did you mean ${instead}?`;
  const message = `${written} in ${field} stays as it is, because expressions have double braces. ${advice}`;
  const problem = nodeWarning(node, "FOREIGN_PLACEHOLDER", message, field);
  if (instead === null) return problem;
  const fix = fixValue(node, field, (value) =>
    typeof value === "string" ? value.replaceAll(written, () => instead) : value,
  );
  return fix === null ? problem : { ...problem, fix };
}
