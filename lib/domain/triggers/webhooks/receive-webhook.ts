import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { EventReading } from "#lib/core/redaction/read-event";
import { acceptEvent } from "#lib/domain/triggers/deliveries/accept-event";
import { bodyIdPaths, deliveryId } from "#lib/domain/triggers/deliveries/delivery-id";
import { noteDelivery } from "#lib/domain/triggers/deliveries/note-delivery";
import { refuseOverLimit } from "#lib/domain/triggers/deliveries/refuse-over-limit";
import {
  findSubscription,
  recallSubscription,
  type StoredWebhook,
  type Subscription,
} from "#lib/domain/triggers/subscription";
import { type Delivery, valuesOf } from "#lib/domain/triggers/verification/delivery";
import { verifyReceived } from "#lib/domain/triggers/verification/verify-received";
import type { Verdict } from "#lib/domain/triggers/verification/verify-signature";
import { chosenVerification, findVerification } from "#lib/domain/triggers/verification/webhook-rule";
import { answerChallenge, type WebhookResponse } from "#lib/domain/triggers/webhooks/answer-challenge";
import { assertMethod } from "#lib/domain/triggers/webhooks/assert-method";
import { awaitResponse } from "#lib/domain/triggers/webhooks/await-response";
import { confirmAddress } from "#lib/domain/triggers/webhooks/confirm-address";
import { decodeDelivery } from "#lib/domain/triggers/webhooks/decode-delivery";
import { isLargeDelivery, readDelivery } from "#lib/domain/triggers/webhooks/read-delivery";
import { shakeHands } from "#lib/domain/triggers/webhooks/shake-hands";
import { noteWork } from "#lib/platform/metrics/note-work";
import { noteOnSpan, requestTraceparent } from "#lib/platform/telemetry/telemetry";

/** The verdicts of a delivery (decisions, Inbound webhooks). */
export type WebhookAnswer =
  | { accepted: true; run_id: string; response?: WebhookResponse }
  | { accepted: false; duplicate: true; run_id: string | null; response?: WebhookResponse }
  /** The request was no event: the sender checked the address, and expects this response. */
  | { accepted: false; run_id: null; response: WebhookResponse };

/** A webhook that changes during every attempt is being republished in a loop. */
const ATTEMPTS = 3;

/**
 * Receives one delivery of an inbound webhook (contract, Triggers). Checks that its address is known, and that it is
 * genuine, readable and new, in this order. Uses the subscription as this process last read it; create_runs creates
 * the run only while that is still current, so the usual delivery is one round trip.
 * @param admit called once the delivery has proved to be genuine; it may refuse
 * @throws ApiError NOT_FOUND, METHOD_NOT_ALLOWED, INVALID_SIGNATURE, BAD_REQUEST, RATE_LIMIT_EXCEEDED, QUOTA_EXCEEDED,
 * SERVICE_UNAVAILABLE
 */
export async function receiveWebhook(
  subscriptionId: string,
  delivery: Delivery,
  admit = () => {},
): Promise<WebhookAnswer> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const recalled = attempt === 0 ? recallUsable(subscriptionId) : null;
    const subscription = recalled ?? (await findSubscription(subscriptionId, "webhook"));
    if (!subscription) {
      assertMethod(null, delivery.method);
      throw new ApiError("NOT_FOUND", "There is no such webhook.");
    }
    try {
      const accepted = await accept(subscription, delivery, admit);
      if (accepted) return await respond(subscription, accepted);
    } catch (error) {
      const isRefused = error instanceof Refusal || (error instanceof ApiError && error.code === "METHOD_NOT_ALLOWED");
      // The cached subscription may be outdated; only the current one may refuse a delivery.
      if (recalled && isRefused) continue;
      if (!(error instanceof Refusal)) throw error;
      const facts = { bytes: delivery.body.byteLength, detail: error.reason };
      await noteDelivery(subscription, error.verdict, facts);
      throw error.answer;
    }
  }
  throw new ApiError("concurrent_change", "The workflow is being changed. Try again.", { retryAfterSeconds: 1 });
}

/** Waits for what the run returns, if the trigger says so. A repeated delivery gets the response of its first run. */
async function respond(subscription: Subscription, answer: WebhookAnswer): Promise<WebhookAnswer> {
  const { respond: mode, wait_seconds: waitSeconds } = ruleOf(subscription);
  if (mode !== "result" || answer.run_id === null) return answer;
  const response = await awaitResponse(subscription, answer.run_id, waitSeconds ?? LIMITS.waitSecondsMax);
  return response === null ? answer : { ...answer, response };
}

/**
 * Returns what this process last read, if check_events notices when it is outdated: it checks the version, and a secret that
 * the sender brought can change without another version.
 */
function recallUsable(subscriptionId: string): Subscription | null {
  const recalled = recallSubscription(subscriptionId);
  return recalled && ruleOf(recalled).brings_secret === true ? null : recalled;
}

/** A delivery that creates no run, and what the delivery log says about it. */
class Refusal extends Error {
  readonly verdict: "invalid_signature" | "bad_request";
  readonly reason: string;
  readonly answer: ApiError;

  constructor(verdict: Refusal["verdict"], reason: string, answer: ApiError) {
    super(reason);
    this.verdict = verdict;
    this.reason = reason;
    this.answer = answer;
  }
}

/** @returns null if the subscription has changed since it was read */
async function accept(
  subscription: Subscription,
  received: Delivery,
  admit: () => void,
): Promise<WebhookAnswer | null> {
  noteWork({ workspaceId: subscription.workspaceId, operation: "webhook" });
  const delivery = decode(received);
  const early = await answerCheck(subscription, delivery, false);
  if (early) return { accepted: false, run_id: null, response: early };
  assertMethod(ruleOf(subscription).methods, delivery.method);
  const verdict = await verify(subscription, delivery, received);
  if (verdict && !verdict.isGenuine) {
    const answer = new ApiError("INVALID_SIGNATURE", "The signature is missing, wrong or too old.");
    throw new Refusal("invalid_signature", verdict.reason, answer);
  }
  admit();
  const response = await answerCheck(subscription, delivery, true);
  if (response) return { accepted: false, run_id: null, response };
  const verification = findVerification(ruleOf(subscription), delivery.headers)?.verification ?? null;
  const confirmed = verdict && (await confirmAddress(verification, valuesOf(delivery)));
  if (confirmed) return { accepted: false, run_id: null, response: confirmed };
  const { delivery_id: ownRule } = ruleOf(subscription);
  const idRule = { places: ownRule ?? verification?.delivery_id ?? null, isSigned: verdict !== null };
  const idPaths = bodyIdPaths(idRule);
  const facts: JsonObject = { bytes: delivery.body.byteLength, detail: verdict ? `signed: ${verdict.scheme}` : null };
  if (isLargeDelivery(delivery) && idPaths.length === 0) {
    await refuseOverLimit(subscription, { dedupeKey: deliveryId(idRule, delivery, []), facts });
  }
  const { input, ids } = await readBody(subscription.workspaceId, delivery, idPaths);
  const accepted = await acceptEvent({
    subscription,
    source: "webhook",
    input,
    dedupeKey: deliveryId(idRule, delivery, ids),
    traceparent: requestTraceparent(delivery.headers),
    facts,
    overLimit: "refuse",
  });
  if (accepted.outcome === "accepted") {
    noteOnSpan({ "signalbox.workspace.id": subscription.workspaceId, "signalbox.run.id": accepted.runId });
    return { accepted: true, run_id: accepted.runId };
  }
  if (accepted.outcome === "duplicate") return { accepted: false, duplicate: true, run_id: accepted.runId };
  return null;
}

/** Returns null if no secret was ever set. A secret that should exist and does not makes every signature wrong. */
async function verify(subscription: Subscription, delivery: Delivery, received: Delivery): Promise<Verdict | null> {
  const { is_signed: isSigned, ...rule } = ruleOf(subscription);
  const { secret } = subscription;
  if (!isSigned) return null;
  if (secret === null) {
    return {
      isGenuine: false,
      reason: rule.brings_secret ? "the sender has not sent its secret yet" : "the secret is no longer stored",
    };
  }
  return verifyReceived({ ...rule, secret }, delivery, received);
}

function decode(received: Delivery): Delivery {
  try {
    return decodeDelivery(received);
  } catch (error) {
    throw asRefusal(error);
  }
}

function ruleOf({ config }: Subscription): StoredWebhook {
  return config as unknown as StoredWebhook;
}

/** Answers a sender that checks the address or brings its secret; null if the delivery is an event. */
async function answerCheck(
  subscription: Subscription,
  delivery: Delivery,
  isVerified: boolean,
): Promise<WebhookResponse | null> {
  const verification = chosenVerification(ruleOf(subscription));
  if (verification === null) return null;
  const values = valuesOf(delivery);
  const { secret } = subscription;
  return (
    (isVerified ? null : await shakeHands(subscription, values)) ??
    answerChallenge(verification, values, { secret: secret ?? "", isVerified })
  );
}

async function readBody(workspaceId: string, delivery: Delivery, idPaths: string[]): Promise<EventReading> {
  try {
    return await readDelivery(workspaceId, delivery, idPaths);
  } catch (error) {
    throw asRefusal(error);
  }
}

function asRefusal(error: unknown): unknown {
  const isFault = error instanceof ApiError && error.status < 429;
  return isFault ? new Refusal("bad_request", error.message, error) : error;
}
