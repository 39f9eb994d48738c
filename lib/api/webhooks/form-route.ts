import { toApiError } from "#lib/api/admission/error-response";
import { takeWebhookRequest } from "#lib/api/admission/limit-source";
import { measureRequest } from "#lib/api/admission/measure-request";
import { readBody } from "#lib/api/admission/read-body";
import { webhookAnswerHeaders } from "#lib/api/webhooks/webhook-route";
import { ApiError } from "#lib/contract/error/api-error";
import { isFailure, isTerminal, type RunObject } from "#lib/contract/run/run";
import { tooManyFields } from "#lib/core/input/form-fields";
import { isForm, readFields } from "#lib/core/input/read-form";
import { gatherTexts, readSubmission, type SentTexts } from "#lib/core/steps/trigger/form/read-submission";
import {
  type Fact,
  FIELD_PREFIX,
  renderFormPage,
  renderMessage,
  TOKEN_NAME,
  TRAP_NAME,
} from "#lib/core/steps/trigger/form/render-form";
import { waitForDelivery } from "#lib/domain/triggers/deliveries/wait-for-delivery";
import { issueFormToken, readFormToken } from "#lib/domain/triggers/forms/form-token";
import { type OpenForm, openForm, submitForm } from "#lib/domain/triggers/forms/submit-form";
import { count } from "#lib/platform/metrics/counters";
import { noteRefusal } from "#lib/platform/telemetry/telemetry";
import { uuidv7 } from "#lib/support/ids";
import { isJsonObject } from "#lib/support/json";

/** The longest text of every field, as a form body may encode it. */
const BODY_BYTES = 256 * 1_024;

/** Serves the page of a form (decisions, Forms): GET shows it, POST starts the run and shows the answer. */
export function formRoute(request: Request): Promise<Response> {
  return measureRequest(request, "/forms/:id", () => answer(request));
}

async function answer(request: Request): Promise<Response> {
  const receivedAt = new Date();
  const requestId = uuidv7();
  const headers = webhookAnswerHeaders(requestId);
  const { pathname, searchParams } = new URL(request.url);
  const id = pathname.slice("/forms/".length);
  try {
    const { admit } = takeWebhookRequest(id, request.headers);
    const form = await openForm(id);
    if (!form) throw new ApiError("NOT_FOUND", "There is no such form, or it is closed.");
    if (request.method === "POST") return await receive({ request, form, receivedAt, headers, admit });
    const shown = { ...EMPTY, texts: gatherTexts(searchParams) };
    return showForm(form, shown, { status: 200, headers, now: receivedAt });
  } catch (thrown) {
    return showError(toApiError(thrown, requestId), headers);
  }
}

/** What a page shows in its fields, and what is wrong with them. */
interface Shown {
  texts: SentTexts;
  errors: ReadonlyMap<string, string>;
  problem: string | null;
}

const EMPTY: Shown = { texts: new Map(), errors: new Map(), problem: null };

interface Received {
  request: Request;
  form: OpenForm;
  receivedAt: Date;
  headers: Headers;
  admit: () => void;
}

async function receive({ request, form, receivedAt: now, headers, admit }: Received): Promise<Response> {
  if (!isForm(request.headers)) throw new ApiError("BAD_REQUEST", "The form must be sent as a browser sends it.");
  const body = await readBody(request, BODY_BYTES);
  const entries = readFields(body);
  if (!entries) throw tooManyFields();
  const sent = gatherTexts(entries);
  const texts = gatherTexts(
    entries
      .filter(([name]) => name.startsWith(FIELD_PREFIX))
      .map(([name, text]) => [name.slice(FIELD_PREFIX.length), text]),
  );
  const again = (shown: Partial<Shown>, status = 400) =>
    showForm(form, { ...EMPTY, texts, ...shown }, { status, headers, now });
  const problem = findSpam(form.subscription.id, sent, now);
  if (typeof problem === "string") {
    count("signalbox_webhook_rejections_total", { code: "BAD_REQUEST" });
    return again({ problem });
  }
  admit();
  const { values, errors } = readSubmission(form.config.fields, texts);
  if (errors.size > 0) return again({ errors });
  const { nonce } = problem;
  try {
    const runId = await submitForm(form, {
      values,
      nonce,
      bytes: body.byteLength,
      headers: request.headers,
      receivedAt: now,
    });
    return await showAnswer(form, runId, headers);
  } catch (thrown) {
    // What a person has typed is not lost because the service is busy.
    if (!(thrown instanceof ApiError) || thrown.status < 429) throw thrown;
    noteRefusal(thrown.code);
    if (thrown.retryAfterSeconds !== undefined) headers.set("retry-after", String(thrown.retryAfterSeconds));
    return again({ problem: `${BUSY} Your answers are still here.` }, thrown.status);
  }
}

const BUSY = "The form can't take more answers at the moment. Send it again later.";

/** Returns why a submission looks as if a program sent it, or what identifies the page that was filled in. */
function findSpam(formId: string, sent: SentTexts, now: Date): string | { nonce: string } {
  if ((sent.get(TRAP_NAME) ?? []).some((text) => text !== "")) {
    return "A field that people can't see was filled in, as programs do. Your answers were not sent. Send them again.";
  }
  const token = readFormToken(formId, sent.get(TOKEN_NAME)?.[0] ?? "", now);
  if (token === null || token.fault === "too_old")
    return "This page was open for too long. Check your answers and send them again.";
  return token.fault === "too_fast" ? "That was faster than people type. Send your answers again." : token;
}

async function showAnswer(form: OpenForm, runId: string, headers: Headers): Promise<Response> {
  const { answer } = form.config;
  if (answer.type === "redirect") {
    headers.set("location", answer.url);
    return new Response(null, { status: 303, headers });
  }
  const run = answer.type === "result" ? await waitForDelivery(form.subscription, runId, answer.wait_seconds) : null;
  if (run && isFailure(run.status)) {
    const text = "Your answers have arrived, but they could not be processed.";
    return page(renderMessage("Sorry", text, [{ label: "Reference", value: runId }]), 200, headers);
  }
  const facts = run && isTerminal(run.status) ? factsOf(run) : [];
  return page(
    renderMessage("Thank you", answer.text ?? (facts.length > 0 ? null : "Your answers were sent."), facts),
    200,
    headers,
  );
}

/** The result of a run as people read it: a line for each field of the output. */
function factsOf({ output }: RunObject): Fact[] {
  if (output === null) return [];
  return Object.entries(output)
    .filter(([, value]) => value !== null && value !== "")
    .map(([label, value]) => ({
      label: label.replaceAll("_", " "),
      value: isJsonObject(value) || Array.isArray(value) ? JSON.stringify(value, null, 2) : String(value),
    }));
}

interface Answering {
  status: number;
  headers: Headers;
  now: Date;
}

function showForm({ config, subscription }: OpenForm, shown: Shown, { status, headers, now }: Answering): Response {
  const text = renderFormPage({ config, token: issueFormToken(subscription.id, now), ...shown });
  const target = config.answer.type === "redirect" ? ` ${new URL(config.answer.url).origin}` : "";
  return page(text, status, headers, target);
}

/** Every answer is a page, also an error. */
function showError(error: ApiError, headers: Headers): Response {
  noteRefusal(error.code);
  count("signalbox_webhook_rejections_total", { code: error.code });
  if (error.retryAfterSeconds !== undefined) headers.set("retry-after", String(error.retryAfterSeconds));
  const title =
    error.status === 404 ? "This form is closed" : error.status < 500 ? "The form was not sent" : "Try again later";
  return page(renderMessage(title, error.message), error.status, headers);
}

/** @param target the origin to which the answer of the form may redirect, after a space */
function page(text: string, status: number, headers: Headers, target = ""): Response {
  headers.set("content-type", "text/html; charset=utf-8");
  headers.set("x-robots-tag", "noindex");
  headers.set(
    "content-security-policy",
    `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'${target}; base-uri 'none'; frame-ancestors 'none'`,
  );
  return new Response(text, { status, headers });
}
