import type { TemplateObject } from "#lib/contract/workflow/template";
import { classifyMessage } from "#lib/core/templates/ai/classify-message";
import { approveRefund } from "#lib/core/templates/approvals/approve-refund";
import { answeredWebhook } from "#lib/core/templates/basics/answer-webhook";
import { composeActions } from "#lib/core/templates/basics/compose-actions";
import { fetchWithRetries } from "#lib/core/templates/basics/fetch-with-retries";
import { helloWorld } from "#lib/core/templates/basics/hello-world";
import { reportWeekdays } from "#lib/core/templates/data/report-weekdays";
import { reshapeOrder } from "#lib/core/templates/data/reshape-order";
import { totalOrders } from "#lib/core/templates/data/total-orders";
import { forwardWebhook } from "#lib/core/templates/operations/forward-webhook";
import { reportFailures } from "#lib/core/templates/operations/report-failures";
import { qualifyLead } from "#lib/core/templates/sales/qualify-lead";
import { quoteByForm } from "#lib/core/templates/sales/quote-by-form";

/** Workflows to start from, the simplest first. worker/stories/templates.test.ts publishes and runs each of them. */
export const TEMPLATES: readonly TemplateObject[] = [
  helloWorld,
  qualifyLead,
  approveRefund,
  totalOrders,
  reshapeOrder,
  fetchWithRetries,
  classifyMessage,
  composeActions,
  forwardWebhook,
  reportWeekdays,
  quoteByForm,
  answeredWebhook,
  reportFailures,
];
