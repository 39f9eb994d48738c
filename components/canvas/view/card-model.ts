import type { GraphNode } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import { nodeLabel } from "#lib/graph/node-data";
import { CARD_WIDTH, estimateCardHeight, type Size } from "@/components/canvas/dimensions";
import { describeProblem } from "@/components/canvas/document/describe-problem";
import { NODE_KINDS, type NodeKind } from "@/components/canvas/document/node-kinds";
import { type SummaryPart, summarizeNode, summaryLength } from "@/components/canvas/document/summarize-node";

/** The line at the foot of a card: what is wrong, or a fact about the node. */
export interface CardFooter {
  tone: "err" | "fact";
  text: string;
}

/** Everything a card shows, as plain data: the same for the editor, a thumbnail, a diff and a finished run. */
export interface CardModel {
  kind: NodeKind;
  name: string;
  step: number;
  summary: readonly SummaryPart[];
  footer: CardFooter | null;
}

export function describeCard(node: GraphNode, step: number, problems: readonly GraphProblem[]): CardModel {
  return {
    kind: NODE_KINDS[node.type],
    name: nodeLabel(node),
    step,
    summary: summarizeNode(node),
    footer: problemFooter(node, problems) ?? factFooter(node),
  };
}

/** The size a card will have, before any browser has drawn it. */
export function estimateCardSize(model: CardModel): Size {
  return { width: CARD_WIDTH, height: estimateCardHeight(summaryLength(model.summary), model.footer !== null) };
}

function problemFooter(node: GraphNode, problems: readonly GraphProblem[]): CardFooter | null {
  const [first, ...others] = problems;
  if (first === undefined) return null;
  const more = others.length > 0 ? ` +${others.length}` : "";
  return { tone: "err", text: `${describeProblem(first, node)}${more}` };
}

function factFooter(node: GraphNode): CardFooter | null {
  const facts = node.type === "action_input" ? inputFacts(node) : workFacts(node);
  return facts.length === 0 ? null : { tone: "fact", text: facts.join(" · ") };
}

function inputFacts(node: GraphNode): string[] {
  const properties = Array.isArray(node.data.properties) ? (node.data.properties as { required?: unknown }[]) : [];
  if (properties.length === 0) return [];
  const required = properties.filter((property) => property.required === true).length;
  return [`${properties.length} ${properties.length === 1 ? "field" : "fields"}`, `${required} required`];
}

function workFacts(node: GraphNode): string[] {
  const { maxRetries, continueOnFailure } = node.data;
  const facts: string[] = [];
  if (typeof maxRetries === "number" && maxRetries > 0) {
    facts.push(maxRetries === 1 ? "1 retry" : `${maxRetries} retries`);
  }
  if (continueOnFailure === true) facts.push("goes on when it fails");
  const [first = "", ...rest] = facts;
  return first === "" ? [] : [first.charAt(0).toUpperCase() + first.slice(1), ...rest];
}
