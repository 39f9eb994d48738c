import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import type { Branch } from "#lib/core/steps/define-step-kind";
import { isDisabled } from "#lib/core/steps/is-disabled";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { formatCount } from "#lib/support/format/format-number";
import type { FreshNodes } from "@/components/canvas/document/analysis";
import { type Analysis, problemsOf, settledProblems } from "@/components/canvas/document/analysis";
import { branchesOf } from "@/components/canvas/document/branches-of";
import { framesOf, loopsAround } from "@/components/canvas/document/frames";
import type { TypingPlace } from "@/components/canvas/store/panel-slice";
import { describeCard } from "@/components/canvas/view/card-model";

/** The content of a card. A card renders again only when this object changes. */
export interface CardContent {
  node: GraphNode;
  step: number;
  problems: readonly GraphProblem[];
  outputs: readonly Branch[];
  /** Handles of the branches without an edge. */
  openHandles: readonly (string | null)[];
  /** For a loop: the number of nodes directly inside it. */
  bodySize: number;
  /** The number of loops around the node. */
  depth: number;
}

interface Card {
  content: CardContent;
  ariaLabel: string;
  /** The inputs of the content and the label; while all of them are unchanged, both are reused. */
  madeOf: readonly unknown[];
}
export type Cards = ReadonlyMap<string, Card>;

interface CardsInput {
  definition: Definition;
  analysis: Analysis;
  typingIn: TypingPlace | null;
  freshNodes: FreshNodes;
}

/**
 * Returns the content of all cards, by node id. A letter typed into one node changes only that node and the nodes that
 * refer to it.
 */
export function describeCards(input: CardsInput, last: Cards | null): Cards {
  const cards = new Map<string, Card>();
  for (const [id, node] of input.analysis.index.nodes) cards.set(id, projectCard(input, node, last?.get(id)));
  return cards;
}

function projectCard(input: CardsInput, node: GraphNode, before: Card | undefined): Card {
  const { definition, analysis } = input;
  const { nodes, incoming, outgoing } = analysis.index;
  const step = analysis.steps.get(node.id) ?? 0;
  const problems = settledProblems(problemsOf(analysis, node.id), input);
  const leaving = outgoing.get(node.id) ?? [];
  const arriving = incoming.get(node.id) ?? [];
  const sources = arriving.map((edge) => nodes.get(edge.source));
  const loops = loopsAround(definition, node.id);
  const [loopId] = loops;
  const depth = loops.length;
  const loop = loopId === undefined ? undefined : nodes.get(loopId);
  const bodySize = framesOf(definition).bodyOf.get(node.id)?.length ?? 0;
  const madeOf = [node, step, problems, leaving, arriving, loop, bodySize, depth, ...sources];
  const isSame = before?.madeOf.length === madeOf.length && madeOf.every((part, at) => part === before.madeOf[at]);
  if (isSame) return before;
  const used = new Set(leaving.map((edge) => edge.sourceHandle ?? null));
  const outputs = branchesOf(node, leaving);
  const openHandles = outputs.filter((output) => !used.has(output.handle)).map((output) => output.handle);
  const content = keepContent(before?.content, { node, step, problems, outputs, openHandles, bodySize, depth });
  return { content, ariaLabel: describeNode(analysis, content, loop), madeOf };
}

function keepContent(before: CardContent | undefined, after: CardContent): CardContent {
  const isSame =
    before !== undefined &&
    before.node === after.node &&
    before.step === after.step &&
    before.bodySize === after.bodySize &&
    before.depth === after.depth &&
    before.openHandles.join() === after.openHandles.join() &&
    before.openHandles.length === after.openHandles.length &&
    isSameOutputs(before.outputs, after.outputs) &&
    before.problems.map(textOf).join("\n") === after.problems.map(textOf).join("\n");
  return isSame ? before : after;
}

function isSameOutputs(before: readonly Branch[], after: readonly Branch[]): boolean {
  const isSame = ({ handle, label }: Branch, other: Branch | undefined) =>
    handle === other?.handle && label === other.label;
  return before.length === after.length && after.every((output, at) => isSame(output, before[at]));
}

/**
 * Returns "Step 4, Create refund, HTTP request, inside Each order, error: the address is missing. Connected from Over
 * 500, False."
 */
function describeNode({ index }: Analysis, content: CardContent, loop: GraphNode | undefined): string {
  const { node, step, problems, bodySize } = content;
  const { name, footer } = describeCard(node, step, problems);
  const problem = footer?.tone === "err" ? `, error: ${footer.text}` : "";
  const sources = (index.incoming.get(node.id) ?? []).flatMap((edge) => {
    const source = index.nodes.get(edge.source);
    if (source === undefined) return [];
    const outputs = branchesOf(source, index.outgoing.get(source.id) ?? []);
    const output = outputs.find((other) => other.handle === (edge.sourceHandle ?? null));
    return [output === undefined || output.label === "" ? nodeLabel(source) : `${nodeLabel(source)}, ${output.label}`];
  });
  const from = sources.length === 0 ? "" : ` Connected from ${sources.join("; ")}.`;
  const inside = loop === undefined ? "" : `, inside ${nodeLabel(loop)}`;
  const holds = STEP_KINDS[node.type].holdsBody ? ` Contains ${formatCount(bodySize, "step")}.` : "";
  const off = isDisabled(node) ? ", disabled" : "";
  return `Step ${step}, ${name}, ${STEP_KINDS[node.type].title}${off}${inside}${problem}.${from}${holds}`;
}

function textOf(problem: GraphProblem): string {
  return `${problem.code} ${problem.field ?? ""} ${problem.message}`;
}
