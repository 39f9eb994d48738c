import type { TemplateObject } from "#lib/contract/workflow/template";
import { answeredWebhook } from "#lib/core/templates/answer-webhook";
import { approveRefund } from "#lib/core/templates/approve-refund";
import { classifyMessage } from "#lib/core/templates/classify-message";
import { composeActions } from "#lib/core/templates/compose-actions";
import { fetchWithRetries } from "#lib/core/templates/fetch-with-retries";
import { forwardWebhook } from "#lib/core/templates/forward-webhook";
import { helloWorld } from "#lib/core/templates/hello-world";
import { qualifyLead } from "#lib/core/templates/qualify-lead";
import { quoteByForm } from "#lib/core/templates/quote-by-form";
import { reportFailures } from "#lib/core/templates/report-failures";
import { reportWeekdays } from "#lib/core/templates/report-weekdays";
import { reshapeOrder } from "#lib/core/templates/reshape-order";
import { totalOrders } from "#lib/core/templates/total-orders";

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
