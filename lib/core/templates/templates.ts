import type { TemplateObject } from "#lib/contract/workflow/template";
import { classifyMessage } from "#lib/core/templates/ai/classify-message";
import { extractOrder } from "#lib/core/templates/ai/extract-order";
import { summarizeText } from "#lib/core/templates/ai/summarize-text";
import { triageEmail } from "#lib/core/templates/ai/triage-email";
import { approveExpense } from "#lib/core/templates/approvals/approve-expense";
import { approvePost } from "#lib/core/templates/approvals/approve-post";
import { approveRefund } from "#lib/core/templates/approvals/approve-refund";
import { answeredWebhook } from "#lib/core/templates/basics/answer-webhook";
import { composeActions } from "#lib/core/templates/basics/compose-actions";
import { fetchWithRetries } from "#lib/core/templates/basics/fetch-with-retries";
import { helloWorld } from "#lib/core/templates/basics/hello-world";
import { announceRow } from "#lib/core/templates/data/announce-row";
import { reportWeekdays } from "#lib/core/templates/data/report-weekdays";
import { reshapeOrder } from "#lib/core/templates/data/reshape-order";
import { syncListToSheet } from "#lib/core/templates/data/sync-list-to-sheet";
import { totalOrders } from "#lib/core/templates/data/total-orders";
import { webhookToSheet } from "#lib/core/templates/data/webhook-to-sheet";
import { weeklyDigest } from "#lib/core/templates/data/weekly-digest";
import { checkWebsite } from "#lib/core/templates/operations/check-website";
import { emailFailures } from "#lib/core/templates/operations/email-failures";
import { forwardWebhook } from "#lib/core/templates/operations/forward-webhook";
import { reportFailures } from "#lib/core/templates/operations/report-failures";
import { waitForJob } from "#lib/core/templates/operations/wait-for-job";
import { announceContact } from "#lib/core/templates/sales/announce-contact";
import { callBackLead } from "#lib/core/templates/sales/call-back-lead";
import { contactFromForm } from "#lib/core/templates/sales/contact-from-form";
import { followUpByEmail } from "#lib/core/templates/sales/follow-up-by-email";
import { qualifyLead } from "#lib/core/templates/sales/qualify-lead";
import { quoteByForm } from "#lib/core/templates/sales/quote-by-form";
import { remindToPay } from "#lib/core/templates/sales/remind-to-pay";
import { routeLeads } from "#lib/core/templates/sales/route-leads";
import { answerInTelegram } from "#lib/core/templates/support/answer-in-telegram";
import { formToTelegram } from "#lib/core/templates/support/form-to-telegram";
import { ticketFromEmail } from "#lib/core/templates/support/ticket-from-email";

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
  extractOrder,
  summarizeText,
  triageEmail,
  approveExpense,
  approvePost,
  announceRow,
  syncListToSheet,
  webhookToSheet,
  weeklyDigest,
  checkWebsite,
  emailFailures,
  waitForJob,
  announceContact,
  callBackLead,
  contactFromForm,
  followUpByEmail,
  remindToPay,
  routeLeads,
  answerInTelegram,
  formToTelegram,
  ticketFromEmail,
];
