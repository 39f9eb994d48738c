import type { TemplateObject } from "#lib/contract/template";
import { approveRefund } from "#lib/templates/approve-refund";
import { classifyMessage } from "#lib/templates/classify-message";
import { composeActions } from "#lib/templates/compose-actions";
import { fetchWithRetries } from "#lib/templates/fetch-with-retries";
import { forwardWebhook } from "#lib/templates/forward-webhook";
import { helloWorld } from "#lib/templates/hello-world";
import { qualifyLead } from "#lib/templates/qualify-lead";
import { reportWeekdays } from "#lib/templates/report-weekdays";
import { reshapeOrder } from "#lib/templates/reshape-order";
import { totalOrders } from "#lib/templates/total-orders";

/** Workflows to begin with, the simplest first. worker/templates.test.ts publishes and runs each of them. */
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
];
