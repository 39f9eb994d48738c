import type { Definition } from "#lib/contract/workflow/graph";
import type { TemplateObject } from "#lib/contract/workflow/template";
import { classifyMessage } from "#lib/core/templates/ai/classify-message";
import { approveRefund } from "#lib/core/templates/approvals/approve-refund";
import { composeActions } from "#lib/core/templates/basics/compose-actions";
import { fetchWithRetries } from "#lib/core/templates/basics/fetch-with-retries";
import { reportWeekdays } from "#lib/core/templates/data/report-weekdays";
import { forwardWebhook } from "#lib/core/templates/operations/forward-webhook";
import { qualifyLead } from "#lib/core/templates/sales/qualify-lead";

/** Connected steps of a template that are useful in the middle of another workflow. */
export interface Fragment {
  fragmentId: string;
  name: string;
  about: string;
  /** Words to find it by that appear neither in its name nor in its description. */
  keywords: string;
  /** Without a start and an end, in the order in which the steps run: a step comes after what leads to it. */
  definition: Definition;
}

/** Cuts the steps out of a template, with the lines among them. What leads to the other steps is left out. */
function cut({ definition }: TemplateObject, stepIds: readonly string[]): Definition {
  const isInside = (id: string) => stepIds.includes(id);
  return {
    nodes: stepIds.flatMap((id) => definition.nodes.filter((node) => node.id === id)),
    edges: definition.edges.filter(({ source, target }) => isInside(source) && isInside(target)),
  };
}

export const FRAGMENTS: readonly Fragment[] = [
  {
    fragmentId: "approve-above-limit",
    name: "Ask for approval above a limit",
    about: "A condition on an amount, and an approval for large ones",
    keywords: "refund threshold review human",
    definition: cut(approveRefund, ["is_large", "approval"]),
  },
  {
    fragmentId: "score-and-decide",
    name: "Score and decide",
    about: "Code that scores the input, and a condition on the score",
    keywords: "lead qualify points rating",
    definition: cut(qualifyLead, ["score", "is_good"]),
  },
  {
    fragmentId: "classify-and-review",
    name: "Classify with AI and review",
    about: "A model that classifies a message and drafts a reply, and a person who approves it",
    keywords: "llm human support triage",
    definition: cut(classifyMessage, ["classify", "check"]),
  },
  {
    fragmentId: "fetch-with-retries",
    name: "Fetch with retries",
    about: "An HTTP request that is retried when the service fails",
    keywords: "backoff retry get url error catch",
    definition: cut(fetchWithRetries, ["fetch"]),
  },
  {
    fragmentId: "call-per-item",
    name: "Run an action for each item",
    about: "A loop over a list that runs a published action for each item",
    keywords: "bulk batch map foreach",
    definition: cut(composeActions, ["each", "greet"]),
  },
  {
    fragmentId: "filter-and-forward",
    name: "Filter and forward an event",
    about: "A condition on an event, and a request that forwards it",
    keywords: "webhook relay",
    definition: cut(forwardWebhook, ["is_paid", "forward"]),
  },
  {
    fragmentId: "fetch-and-report",
    name: "Fetch, summarize and post a report",
    about: "A request for figures, code that writes a report, and a request that posts it",
    keywords: "daily summary digest",
    definition: cut(reportWeekdays, ["figures", "report", "post"]),
  },
];
