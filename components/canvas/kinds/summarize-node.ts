import type { GraphNode } from "#lib/contract/graph";
import { UNARY_OPERATORS } from "#lib/core/expressions/condition-data";
import { chipLabel, templateParts } from "@/components/canvas/document/template-parts";
import { operatorWords } from "@/components/canvas/kinds/operators";

/** A piece of the sentence on a card: words, a name in bold, or a value as a chip. */
export interface SummaryPart {
  kind: "text" | "chip";
  text: string;
}

const NAMES_SHOWN = 3;
const RULES_SHOWN = 2;

const text = (value: string): SummaryPart => ({ kind: "text", text: value });
const chip = (value: string): SummaryPart => ({ kind: "chip", text: value });

/** One sentence that says what the node does, from the same data its form edits. Tolerates any draft. */
export function summarizeNode(node: GraphNode): SummaryPart[] {
  const data = node.data;
  switch (node.type) {
    case "action_input":
      return summarizeInput(listOf(data.properties));
    case "condition":
      return summarizeCondition(data.match === "any" ? "or" : "and", listOf(data.rules));
    case "trigger":
      return summarizeTrigger(data);
    case "switch":
      return summarizeNames("Goes to", "No case yet", [...listOf(data.cases), { name: "otherwise" }]);
    case "loop":
      return summarizeLoop(data);
    case "delay":
      return [text("Waits "), ...withChips(wordOf(data.seconds) || "?"), text(" s")];
    case "approval":
      return wordOf(data.message) === ""
        ? [text("Waits for a person")]
        : [text("Asks: "), ...withChips(wordOf(data.message))];
    case "sub_workflow":
      return wordOf(data.action_slug) === ""
        ? [text("No action yet")]
        : [text("Runs "), chip(wordOf(data.action_slug))];
    case "code": {
      const lines = wordOf(data.source).split("\n").length;
      return [
        text(
          wordOf(data.source) === "" ? "No code yet" : `Runs ${lines} ${lines === 1 ? "line" : "lines"} of TypeScript`,
        ),
      ];
    }
    case "transform":
      if (wordOf(data.jsonata) !== "") return [text("Computes "), chip(wordOf(data.jsonata))];
      return summarizeNames("Sets", "Sets no fields yet", listOf(data.fields));
    case "connector":
      return isHttp(data) ? summarizeRequest(objectOf(data.params)) : summarizeCall(data);
    case "llm":
      return wordOf(data.model) === "" ? [text("No model yet")] : [text("Asks "), chip(wordOf(data.model))];
    case "return_output":
      return summarizeNames("Returns", "Returns an empty object", listOf(data.properties));
  }
}

/** How many characters the sentence takes, chips with their padding: for the layout's estimate. */
export function summaryLength(parts: readonly SummaryPart[]): number {
  return parts.reduce((length, part) => length + part.text.length + (part.kind === "chip" ? 2 : 0), 0);
}

function summarizeInput(properties: readonly Record<string, unknown>[]): SummaryPart[] {
  const named = properties.filter((property) => wordOf(property.name) !== "");
  const required = named.filter((property) => property.required === true).map((property) => wordOf(property.name));
  const optional = named.filter((property) => property.required !== true).map((property) => wordOf(property.name));
  if (named.length === 0) return [text("Callers send no fields")];
  if (required.length === 0) return [text("Caller may send "), ...listNames(optional)];
  if (optional.length === 0) return [text("Caller sends "), ...listNames(required)];
  return [text("Caller sends "), ...listNames(required), text(" and optional "), ...listNames(optional)];
}

function summarizeCondition(joint: string, rules: readonly Record<string, unknown>[]): SummaryPart[] {
  const complete = rules.filter((rule) => wordOf(rule.left) !== "");
  if (complete.length === 0) return [text("No rule yet")];
  const parts: SummaryPart[] = [text("If ")];
  for (const [index, rule] of complete.slice(0, RULES_SHOWN).entries()) {
    if (index > 0) parts.push(text(` ${joint} `));
    const operator = wordOf(rule.operator);
    parts.push(...withChips(wordOf(rule.left)), text(` ${operatorWords(operator)}`));
    const isUnary = (UNARY_OPERATORS as readonly string[]).includes(operator);
    if (!isUnary) parts.push(text(" "), ...withChips(wordOf(rule.right) || "?"));
  }
  const more = complete.length - RULES_SHOWN;
  return more > 0 ? [...parts, text(` ${joint} ${more} more`)] : parts;
}

function summarizeLoop({ items, concurrency }: Record<string, unknown>): SummaryPart[] {
  const list = Array.isArray(items) ? [text(`${items.length} given items`)] : withChips(wordOf(items));
  if (list.length === 0) return [text("No list yet")];
  const pace = typeof concurrency === "number" && concurrency > 1 ? [text(`, ${concurrency} at a time`)] : [];
  return [text("For each of "), ...list, ...pace];
}

function summarizeTrigger(data: Record<string, unknown>): SummaryPart[] {
  if (data.kind === "webhook") return [text("Starts when its address is called")];
  if (data.kind === "connector") {
    const words = wordOf(data.event).replaceAll("_", " ");
    return words === ""
      ? [text("No event yet")]
      : [text("Starts on "), chip(words), text(` of ${wordOf(data.connector)}`)];
  }
  if (data.mode === "interval") return [text("Starts every "), chip(`${wordOf(data.seconds) || "?"} s`)];
  return [text("Starts at "), chip(wordOf(data.expression) || "?"), text(` ${wordOf(data.timezone)}`)];
}

function summarizeRequest(params: Record<string, unknown>): SummaryPart[] {
  const url = wordOf(params.url);
  if (url === "") return [text("No address yet")];
  const short = url.replace(/^https?:\/\//, "");
  return [text(`${wordOf(params.method) || "GET"} `), ...withChips(short)];
}

/** A draft that names no connector is a request. */
function isHttp({ connector }: Record<string, unknown>): boolean {
  return connector === "http" || wordOf(connector) === "";
}

function summarizeCall({ connector, operation }: Record<string, unknown>): SummaryPart[] {
  const words = wordOf(operation).replaceAll("_", " ");
  return words === "" ? [text("No operation yet")] : [text(`${wordOf(connector)}: `), chip(words)];
}

function summarizeNames(verb: string, empty: string, items: readonly Record<string, unknown>[]): SummaryPart[] {
  const names = items.map((item) => wordOf(item.name)).filter((name) => name !== "");
  return names.length === 0 ? [text(empty)] : [text(`${verb} `), ...listNames(names)];
}

/** "a b and c", with "and 4 more" for a long list. */
function listNames(names: readonly string[]): SummaryPart[] {
  const shown = names.slice(0, NAMES_SHOWN);
  const more = names.length - shown.length;
  const parts = shown.flatMap((name, index) => {
    if (index === 0) return [chip(name)];
    const isLast = index === shown.length - 1 && more === 0;
    return [text(isLast ? " and " : " "), chip(name)];
  });
  return more > 0 ? [...parts, text(` and ${more} more`)] : parts;
}

function withChips(template: string): SummaryPart[] {
  return templateParts(template).map((part) =>
    part.kind === "expression" ? chip(chipLabel(part.text)) : text(part.text),
  );
}

function wordOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}
