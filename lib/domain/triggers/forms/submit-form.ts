import { createHash } from "node:crypto";
import { ApiError } from "#lib/contract/error/api-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { eventInput } from "#lib/core/input/numbers-as-text";
import { prepareInput } from "#lib/core/redaction/sanitize";
import type { FormConfig } from "#lib/core/steps/trigger/form/form-config";
import { acceptEvent } from "#lib/domain/triggers/deliveries/accept-event";
import { findSubscription, type Subscription } from "#lib/domain/triggers/subscription";
import { noteWork } from "#lib/platform/metrics/note-work";
import { noteOnSpan, requestTraceparent } from "#lib/platform/telemetry/telemetry";
import { canonicalJson } from "#lib/support/json";

/** A form that can be sent. */
export interface OpenForm {
  config: FormConfig;
  subscription: Subscription;
}

/** Returns the published form with an address; null if there is none, or it is paused. */
export async function openForm(subscriptionId: string): Promise<OpenForm | null> {
  const subscription = await findSubscription(subscriptionId, "form");
  if (!subscription) return null;
  noteWork({ workspaceId: subscription.workspaceId, operation: "form" });
  return { subscription, config: subscription.config as unknown as FormConfig };
}

export interface SentForm {
  /** The values of the fields, as they were read. */
  values: JsonObject;
  /** Identifies the page that was filled in. */
  nonce: string;
  bytes: number;
  headers: Headers;
  receivedAt: Date;
}

/**
 * Starts the run of a form that was sent (decisions, Forms). The same values from the same page start it once, however often
 * someone presses the button.
 * @returns the id of the run
 * @throws ApiError NOT_FOUND, RATE_LIMIT_EXCEEDED, QUOTA_EXCEEDED, SERVICE_UNAVAILABLE
 */
export async function submitForm({ subscription }: OpenForm, sent: SentForm): Promise<string> {
  const { values, nonce, bytes, headers, receivedAt } = sent;
  const digest = createHash("sha256").update(canonicalJson(values)).digest("base64url");
  const accepted = await acceptEvent({
    subscription,
    source: "webhook",
    input: prepareInput(eventInput({ body: values, timestamp: receivedAt.toISOString() }, [])),
    dedupeKey: `form:${nonce}:${digest}`,
    traceparent: requestTraceparent(headers),
    facts: { bytes, detail: "form" },
    overLimit: "refuse",
  });
  if ((accepted.outcome === "accepted" || accepted.outcome === "duplicate") && accepted.runId !== null) {
    noteOnSpan({ "signalbox.workspace.id": subscription.workspaceId, "signalbox.run.id": accepted.runId });
    return accepted.runId;
  }
  // The workflow was published or paused since the form was read.
  throw new ApiError("concurrent_change", "The form is being changed. Send it again.", { retryAfterSeconds: 1 });
}
