import { setTimeout as sleep } from "node:timers/promises";
import { signStandard } from "#lib/domain/triggers/trigger.fixture";

/** The reasons why a delivery must be refused. */
const FORGERIES = ["secret", "body", "unsigned", "stale", "other id"] as const;

export interface WebhookDelivery {
  /** The delivery's `webhook-id`. */
  id: string;
  body: string;
  forgery: (typeof FORGERIES)[number] | null;
}

/** The final outcome of a delivery. */
export interface SentDelivery extends WebhookDelivery {
  /** The status of the last answer, or 0 if the sender gave up. */
  status: number;
  code: string | null;
  runId: string | null;
  isDuplicate: boolean;
  /** The number of attempts that got a 5xx or no answer. */
  failures: number;
}

const ATTEMPT_TIMEOUT_MS = 10_000;
const RETRY_FIRST_MS = 100;
const RETRY_MAX_MS = 3_000;
/** Far longer than a killed web server needs to return. */
const GIVE_UP_MS = 120_000;
const STALE_MS = 600_000;
const WRONG_SECRET = `whsec_${Buffer.from("a sender who does not know the secret").toString("base64")}`;

/**
 * Plans deliveries in the order in which they are sent. A tenth repeat one that was sent shortly before, and a
 * twentieth are forged. Some forged deliveries carry the id of a genuine one that comes later.
 */
export function planDeliveries(count: number, random: () => number): WebhookDelivery[] {
  const genuine: WebhookDelivery[] = [];
  const plan: WebhookDelivery[] = [];
  for (let n = 0; n < count; n += 1) {
    const dice = random();
    const forged = FORGERIES[plan.length % FORGERIES.length] ?? "secret";
    const recent = genuine[genuine.length - 1 - Math.floor(random() * Math.min(genuine.length, 50))];
    if (dice < 0.05) {
      const id = dice < 0.025 ? nameOf(n + 1) : `forged-${n}`;
      plan.push({ id, body: JSON.stringify({ id: `forged-${n}` }), forgery: forged });
    } else if (dice < 0.15 && recent) {
      plan.push(recent);
    } else {
      const delivery = { id: nameOf(n), body: JSON.stringify({ id: nameOf(n) }), forgery: null };
      genuine.push(delivery);
      plan.push(delivery);
    }
  }
  return plan;
}

function nameOf(n: number): string {
  return `delivery-${n}`;
}

/**
 * Sends like real webhook senders: signs each attempt again under the same id, and retries with backoff after a 5xx or
 * no answer. Any other answer is final.
 */
export async function sendDelivery(url: string, delivery: WebhookDelivery): Promise<SentDelivery> {
  const endMs = performance.now() + GIVE_UP_MS;
  let failures = 0;
  for (let waitMs = RETRY_FIRST_MS; ; waitMs = Math.min(RETRY_MAX_MS, waitMs * 2)) {
    const answer = await attempt(url, delivery);
    if (answer !== null && answer.status < 500) {
      const { accepted, duplicate, run_id: runId = null, code = null } = answer.body;
      const isDuplicate = accepted === false && duplicate === true;
      return { ...delivery, status: answer.status, code, runId, isDuplicate, failures };
    }
    failures += 1;
    if (performance.now() > endMs) {
      return { ...delivery, status: 0, code: null, runId: null, isDuplicate: false, failures };
    }
    await sleep(waitMs);
  }
}

interface Answer {
  accepted?: boolean;
  duplicate?: boolean;
  run_id?: string;
  code?: string;
}

async function attempt(url: string, delivery: WebhookDelivery): Promise<{ status: number; body: Answer } | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...signatureOf(delivery) },
      body: delivery.body,
      signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
    });
    return { status: response.status, body: (await response.json()) as Answer };
  } catch {
    return null;
  }
}

function signatureOf({ id, body, forgery }: WebhookDelivery): Record<string, string> {
  const now = Date.now();
  switch (forgery) {
    case null:
      return signStandard(body, id, now);
    case "secret":
      return signStandard(body, id, now, WRONG_SECRET);
    case "body":
      return signStandard(`${body} `, id, now);
    case "unsigned":
      return { "webhook-id": id, "webhook-timestamp": String(Math.floor(now / 1_000)) };
    case "stale":
      return signStandard(body, id, now - STALE_MS);
    case "other id":
      return { ...signStandard(body, `${id}-other`, now), "webhook-id": id };
  }
}
