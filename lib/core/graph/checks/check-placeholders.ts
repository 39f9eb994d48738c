import type { GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { fixValue } from "#lib/core/graph/checks/fix-text";
import { listTexts } from "#lib/core/graph/checks/list-templates";
import { declaresInput, guessReference, type Sight, STEPS_WORDS } from "#lib/core/graph/checks/meant/guess-reference";
import { nodeWarning } from "#lib/core/graph/checks/problem";
import { type GraphIndex, loopIdsAround } from "#lib/core/graph/edges";
import type { NodeShapes } from "#lib/core/graph/node-shapes";
import { membersOf } from "#lib/core/shapes/shape";

const PATH = String.raw`[A-Za-z_][\w.[\]]{0,200}`;
/** `${name}`, `#{name}`, and `<%= name %>` of shells, programming languages, and other template languages. */
const FOREIGN = new RegExp(String.raw`[$#]\{\s{0,9}(${PATH})\s{0,9}\}|<%=?\s{0,9}(${PATH})\s{0,9}%>`, "g");
/**
 * `{step.field}` in single braces, `{{step.field}` and `{step.field}}` with one that is missing, `[[name]]`, `%name%` and
 * `$(name)`. They are also parts of other texts, so what they name must exist.
 */
const NAMED = new RegExp(
  String.raw`(?<![{$#\\\w])\{\s{0,3}\$?(${PATH})\s{0,3}\}{1,2}(?!\})|\[\[\s{0,3}(${PATH})\s{0,3}\]\]|(?<![\w'"])%(${PATH})%(?![\w'"])|\$\((${PATH})\)`,
  "g",
);
/** `{% if … %}` of Liquid, Jinja and Twig. */
const TAG =
  /\{%-?\s{0,9}(?:end)?(?:if|elsif|elif|else|unless|for|case|when|set|assign|capture|include|block|extends|macro)\b[^%]{0,200}%\}/;
/** n8n writes `=` before a text with expressions. */
const EQUALS = /^=\s{0,9}(\{\{[^{}]{1,300}\}\})\s*$/;
/** Power Automate. */
const AT = /@\{(?:triggerBody|triggerOutputs|outputs|body|variables|items|parameters)\([^}]{0,200}\}/;
/** A path without any braces, as other engines write it: `steps.fetch.body`, `$.amount`. */
const BARE = new RegExp(String.raw`^\$?\.?(${PATH})$`);
const CODE = /=>|\b(?:function|return|const|let|var|import|query|mutation)\b/;
/** An environment variable that a script in the text reads. */
const ENVIRONMENT = /^[A-Z0-9_]+$/;

/** Warns about placeholders of other languages, which reach the service or the model as they are. */
export function checkPlaceholders(
  index: GraphIndex,
  upstream: ReadonlyMap<string, Set<string>>,
  shapes: NodeShapes,
): GraphProblem[] {
  return index.definition.nodes.flatMap((node) => {
    const visible = upstream.get(node.id) ?? new Set<string>();
    const loops = [...loopIdsAround(index, node)];
    return listTexts(node).flatMap(({ field, text, isOfBody }) => {
      const sight = { index, shapes, visible, loopIds: isOfBody ? [node.id, ...loops] : loops };
      const found = findPlaceholder(sight, text) ?? (isAddress(node, field) ? findInAddress(text) : null);
      return found === null ? [] : [describe(node, field, found)];
    });
  });
}

interface Placeholder {
  written: string;
  /** The expression that is meant; null if no step and no input has the name. */
  instead: string | null;
  /** What to do if there is none, as a sentence. */
  advice: string;
}

const INSERT = "Write {{step.field}} to insert a value";
const NO_TAGS = "Choose the text with a Condition step, or build it in a Code step";

/** Finds the first placeholder of a text: after it is corrected, the next check finds the next one. */
function findPlaceholder(sight: Sight, text: string): Placeholder | null {
  if (text.includes("${") || text.includes("#{") || text.includes("<%")) {
    for (const [written, braced, tagged] of text.matchAll(FOREIGN)) {
      const path = braced ?? tagged ?? "";
      const instead = resolve(sight, path);
      if (instead !== null || !ENVIRONMENT.test(path)) return { written, instead, advice: INSERT };
    }
  }
  if (text.includes("{%")) {
    const [written] = TAG.exec(text) ?? [];
    if (written !== undefined) return { written, instead: null, advice: NO_TAGS };
  }
  const [, equal] = text.startsWith("=") ? (EQUALS.exec(text) ?? []) : [];
  if (equal !== undefined) return { written: text, instead: equal, advice: INSERT };
  const [at] = text.includes("@{") ? (AT.exec(text) ?? []) : [];
  return at === undefined ? findNamed(sight, text) : { written: at, instead: null, advice: INSERT };
}

/** Finds what is a placeholder only because it names something. */
function findNamed(sight: Sight, text: string): Placeholder | null {
  const [, bare = ""] = BARE.exec(text) ?? [];
  if (bare !== "") {
    const instead = resolveBare(sight, bare);
    return instead === null ? null : { written: text, instead, advice: INSERT };
  }
  if (!/[{[%$]/.test(text)) return null;
  const isNested = hasNestedBraces(text);
  for (const [written, ...paths] of text.matchAll(NAMED)) {
    const path = paths.find((one) => one !== undefined) ?? "";
    // In a query of GraphQL or in code, braces around a name mean something else.
    if (isNested && !path.includes(".")) continue;
    const instead = resolve(sight, path);
    if (instead !== null) return { written, instead, advice: INSERT };
  }
  return null;
}

/** A file name such as `report.pdf` looks like a path, so a step must have the field for certain. */
function resolveBare(sight: Sight, path: string): string | null {
  const { index, shapes, visible } = sight;
  const [head = "", ...keys] = path.split(".");
  if (keys.length === 0 || keys.some((key) => !/^\w+$/.test(key))) return null;
  const [named, ...rest] = STEPS_WORDS.has(head.toLowerCase()) ? keys : [head, ...keys];
  const isSeen = named !== undefined && (visible.has(named) || named === index.entry?.type);
  const result = isSeen ? shapes.read({ name: named, path: rest }) : null;
  const isCertain = result?.kind === "found" && membersOf(result.shape).every(({ kind }) => kind !== "unknown");
  return isCertain && rest.length > 0 ? `{{${[named, ...rest].join(".")}}}` : null;
}

function isAddress({ data }: GraphNode, field: string): boolean {
  return data.connector === "http" && field === "params.url";
}

/** No URL has braces, and a segment that starts with a colon is a parameter of a route. */
function findInAddress(text: string): Placeholder | null {
  const [written] = /(?<![{\\])\{[A-Za-z_]\w{0,63}\}(?!\})|(?<=\w\/):[A-Za-z_]\w{0,63}(?=[/?#]|$)/.exec(text) ?? [];
  return written === undefined ? null : { written, instead: null, advice: INSERT };
}

function hasNestedBraces(text: string): boolean {
  const single = text.replaceAll("{{", "").replaceAll("}}", "");
  return CODE.test(single) || /\{[^}]*\{/.test(single) || /[:;][^{}:;]*\}/.test(single);
}

/** Returns the expression that reads a path as it is, or the one that is certainly meant. */
function resolve(sight: Sight, path: string): string | null {
  const { index, visible, shapes } = sight;
  const { entry } = index;
  const [head = "", ...rest] = path.split(/(?=[.[])/);
  const keys = rest.map((part) => (part.startsWith("[") ? Number(part.slice(1, -1)) : part.slice(1)));
  if (keys.some((key) => key === "" || Number.isNaN(key))) return null;
  const isStep = visible.has(head) && head !== entry?.id;
  if ((head === entry?.type || isStep) && shapes.read({ name: head, path: keys })?.kind === "found")
    return `{{${path}}}`;
  if (entry !== null && keys.length === 0 && !declaresInput(entry, head)) return null;
  const meant = guessReference(sight, head, keys);
  return meant === null ? null : `{{${meant}}}`;
}

function describe(node: GraphNode, field: string, { written, instead, advice }: Placeholder): GraphProblem {
  const words = instead === null ? advice : `Did you mean ${instead}?`;
  const shown = written.length > 80 ? `${written.slice(0, 79)}…` : written;
  const message = `${shown} in ${field} stays as it is, because expressions have double braces. ${words}`;
  const problem = nodeWarning(node, "FOREIGN_PLACEHOLDER", message, field);
  if (instead === null) return problem;
  const fix = fixValue(node, field, (value) =>
    typeof value === "string" ? value.replaceAll(written, () => instead) : value,
  );
  return fix === null ? problem : { ...problem, fix };
}
