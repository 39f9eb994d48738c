import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { SampleAnswer } from "#lib/contract/trigger/trigger";
import { getTrigger } from "#lib/domain/triggers/activation/get-trigger";
import { findSubscription, type StoredWebhook } from "#lib/domain/triggers/subscription";
import { CannotSign, signDelivery } from "#lib/domain/triggers/verification/sign-delivery";
import { RUN_ID_HEADER } from "#lib/domain/triggers/webhooks/await-response";
import { webhookUrl } from "#lib/domain/workflows/webhook-url";
import { UUID_PATTERN } from "#lib/support/ids";
import { isJsonObject } from "#lib/support/json";

interface Sample {
  workspaceId: string;
  workflowId: string;
  /** JSON, as the sender would write it. */
  body: string;
}

/**
 * Sends an event to a workflow's webhook as an outside service would: over HTTP, to its public address, signed as the
 * trigger requires. It goes through everything that a delivery goes through, and starts a run. What stops it on the way,
 * such as a wrong WEBHOOK_BASE_URL, is part of the answer.
 * @throws ApiError NOT_FOUND, BAD_REQUEST if the trigger is no webhook, or is paused
 */
export async function sendSample({ workspaceId, workflowId, body }: Sample): Promise<SampleAnswer> {
  const trigger = await getTrigger(workspaceId, workflowId);
  const subscription = trigger === null ? null : await findSubscription(trigger.subscription_id, "webhook");
  if (subscription === null) {
    throw new ApiError("BAD_REQUEST", "The workflow has no active webhook. Activate it, or resume its trigger.");
  }
  const { is_signed: isSigned, ...rule } = subscription.config as unknown as StoredWebhook;
  const { secret } = subscription;
  const url = webhookUrl(subscription.id);
  const method = rule.methods?.find((known) => known !== "GET") ?? rule.methods?.[0] ?? "POST";
  const timeoutMs = LIMITS.sampleEventMs + (rule.respond === "result" ? LIMITS.waitSecondsMax * 1_000 : 0);
  try {
    const unsigned = method === "GET" ? asQuery(url, body) : { url, body, headers: JSON_TYPE };
    const request = isSigned && secret !== null ? signDelivery({ ...rule, secret }, unsigned, new Date()) : unsigned;
    const answer = await fetch(request.url, {
      method,
      body: method === "GET" ? null : request.body,
      headers: request.headers,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await readStart(answer);
    const runId = answer.headers.get(RUN_ID_HEADER) ?? runIdIn(text);
    return { url, status: answer.status, answer: text, run_id: runId, error: null };
  } catch (error) {
    return { url, status: null, answer: null, run_id: null, error: describeFailure(error, timeoutMs) };
  }
}

const JSON_TYPE = { "content-type": "application/json" };

/** The body of a GET request is its query. */
function asQuery(url: string, body: string): { url: string; body: string; headers: Record<string, string> } {
  const parsed: unknown = JSON.parse(body);
  const fields = isJsonObject(parsed) ? Object.entries(parsed).map(([name, value]) => [name, String(value)]) : [];
  return { url: `${url}?${new URLSearchParams(fields)}`, body: "", headers: {} };
}

const SHOWN_CHARACTERS = 2_000;

/** Another server may answer at the address, with any amount of text. */
async function readStart(answer: Response): Promise<string> {
  let text = "";
  for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.length >= SHOWN_CHARACTERS) break;
  }
  return text.slice(0, SHOWN_CHARACTERS);
}

function runIdIn(text: string): string | null {
  try {
    const answer: unknown = JSON.parse(text);
    const runId = isJsonObject(answer) ? answer.run_id : null;
    return typeof runId === "string" && UUID_PATTERN.test(runId) ? runId : null;
  } catch {
    return null;
  }
}

function describeFailure(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return "The address could not be reached.";
  if (error instanceof CannotSign) return error.message;
  if (error instanceof SyntaxError) return "The body must be JSON.";
  if (error.name === "TimeoutError") return `No answer within ${timeoutMs / 1_000} seconds.`;
  const { cause } = error;
  const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  return `The address could not be reached from this server${code}. Check WEBHOOK_BASE_URL.`;
}
