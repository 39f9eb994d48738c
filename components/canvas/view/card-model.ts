import type { GraphNode, NodeType } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { isDisabled } from "#lib/core/steps/is-disabled";
import { nodeLabel } from "#lib/core/steps/node-data";
import { appOf } from "@/components/canvas/document/app-of";
import { describeProblem, describeProblemShortly } from "@/components/canvas/document/describe-problem";
import { listFacts } from "@/components/canvas/kinds/list-facts";
import { summarizeNode } from "@/components/canvas/kinds/summarize-node";
import type { SummaryPart } from "@/components/canvas/kinds/summary-parts";

/** The line at the foot of a card: a problem, or a fact about the node. */
export interface CardFooter {
  tone: "err" | "fact";
  text: string;
  /** The full text, if `text` is shortened. */
  title?: string;
}

/** Everything that a card shows, as plain data: the same for the editor, a thumbnail, a diff and a finished run. */
export interface CardModel {
  type: NodeType;
  /** The connector of a step that calls a service. */
  app: string | null;
  name: string;
  step: number;
  summary: readonly SummaryPart[];
  footer: CardFooter | null;
  /** Runs pass the step by. */
  isDisabled: boolean;
}

export function describeCard(node: GraphNode, step: number, problems: readonly GraphProblem[]): CardModel {
  return {
    type: node.type,
    app: appOf(node),
    name: nodeLabel(node),
    step,
    summary: summarizeNode(node),
    footer: problemFooter(node, problems.filter(isShownOnCard)) ?? factFooter(node),
    isDisabled: isDisabled(node),
  };
}

/** The card itself says that its step is disabled. */
function isShownOnCard({ code }: GraphProblem): boolean {
  return code !== "STEP_DISABLED";
}

function problemFooter(node: GraphNode, problems: readonly GraphProblem[]): CardFooter | null {
  const [first, ...others] = problems;
  if (first === undefined) return null;
  const more = others.length > 0 ? ` +${others.length}` : "";
  return { tone: "err", text: `${describeProblemShortly(first, node)}${more}`, title: describeProblem(first, node) };
}

function factFooter(node: GraphNode): CardFooter | null {
  const facts = listFacts(node);
  return facts.length === 0 ? null : { tone: "fact", text: facts.join(" · ") };
}
