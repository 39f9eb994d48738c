import { isTerminal, type RunObject } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { waitForDelivery } from "#lib/domain/triggers/deliveries/wait-for-delivery";
import type { Subscription } from "#lib/domain/triggers/subscription";
import type { WebhookResponse } from "#lib/domain/triggers/webhooks/answer-challenge";
import { isJsonObject } from "#lib/support/json";

/** Names the run to the sender: a response of the workflow says nothing about it. */
export const RUN_ID_HEADER = "x-run-id";

/** The headers that a workflow may set. Cookies, policies and framing of this origin are not its business. */
const ALLOWED = new Set([
  "cache-control",
  "content-disposition",
  "content-language",
  "content-type",
  "etag",
  "expires",
  "last-modified",
  "location",
  "retry-after",
]);
/** Read by browsers, by proxies in front of us, or set by us. */
const RESERVED =
  /^x-(?:accel-|content-|dns-|frame-|lighttpd-|litespeed-|permitted-|reproxy-|request-id$|run-id$|sendfile|xss-)/;

/**
 * Waits for the run of a delivery and returns what it answers the sender (decisions, Inbound webhooks: responses).
 * @returns null if the run has not ended in time, or waits for a person: the sender gets 202
 */
export async function awaitResponse(
  subscription: Pick<Subscription, "id" | "workspaceId">,
  runId: string,
  seconds: number,
): Promise<WebhookResponse | null> {
  const run = await waitForDelivery(subscription, runId, seconds);
  if (!isTerminal(run.status)) return null;
  const response = responseOf(run);
  response.headers[RUN_ID_HEADER] = runId;
  return response;
}

/** An output with a status and a body is the whole response. Any other output is the body. */
function responseOf({ run_id, status, output }: RunObject): WebhookResponse {
  if (status !== "succeeded") return json(500, { accepted: true, run_id, status });
  if (output === null) return json(200, { accepted: true, run_id });
  const { status: code, headers, body } = output;
  if (typeof code !== "number" || body === undefined) return json(200, output);
  const given = isJsonObject(headers) ? headers : {};
  const fault = findFault(code, given);
  return fault === null ? write(code, given, body) : json(500, { accepted: true, run_id, status, error: fault });
}

/** Returns why the response cannot be sent. */
function findFault(status: number, headers: JsonObject): string | null {
  if (!Number.isInteger(status) || status < 200 || status > 599 || status === 304) {
    return "The status of the response must be a whole number from 200 to 599, except 304.";
  }
  for (const [name, value] of Object.entries(headers)) {
    const known = name.toLowerCase();
    const isOpen = /^x-[a-z0-9-]{1,98}$/.test(known) && !RESERVED.test(known);
    if (!isOpen && !ALLOWED.has(known)) return `The response can't have the header ${name.slice(0, 100)}.`;
    if (typeof value === "object" || !/^[\t\x20-\x7e]*$/.test(String(value))) {
      return `The value of the header ${known} must be text in ASCII, on one line.`;
    }
  }
  return null;
}

function write(status: number, headers: JsonObject, body: unknown): WebhookResponse {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const written: Record<string, string> = {
    "content-type": typeof body === "string" ? "text/plain; charset=utf-8" : "application/json",
  };
  for (const [name, value] of Object.entries(headers)) written[name.toLowerCase()] = String(value);
  // It may be a page with values that a sender chose. A browser must not run it as a page of this origin.
  written["content-security-policy"] = "sandbox";
  const isEmpty = body === null || status === 204 || status === 205;
  return { status, headers: written, body: isEmpty ? null : text };
}

function json(status: number, body: JsonObject): WebhookResponse {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
