import { setTimeout as sleep } from "node:timers/promises";
import { callbackRoute } from "#lib/api/webhooks/callback-route";

/** A callback that was delivered twice at the same time. */
export interface CallbackDelivery {
  runId: string;
  /** When the first of the two deliveries was answered, by the wall clock. */
  answeredMs: number;
  /** True if both deliveries were accepted and exactly one of them counted as new. */
  isOnce: boolean;
  answers: readonly string[];
}

/** Sends the same body twice, like a sender that did not get the first answer. */
export async function deliverTwice(runId: string, address: string, n: number): Promise<CallbackDelivery> {
  let answeredMs = Number.POSITIVE_INFINITY;
  const send = async () => {
    const status = await post(address, n);
    answeredMs = Math.min(answeredMs, Date.now());
    return status;
  };
  const answers = await Promise.all([send(), send()]);
  const isOnce = answers.toSorted().join() === "again,new";
  return { runId, answeredMs, isOnce, answers };
}

/** Retries after a 429 or 5xx, as senders do. */
async function post(address: string, n: number): Promise<string> {
  const token = address.slice(address.lastIndexOf("/") + 1);
  for (;;) {
    const request = new Request(address, { method: "POST", body: JSON.stringify({ n }) });
    const response = await callbackRoute(request, token);
    if (response.status >= 500 || response.status === 429) {
      await sleep(100);
      continue;
    }
    if (response.status !== 200) return `${response.status} ${await response.text()}`;
    return response.headers.has("idempotent-replayed") ? "again" : "new";
  }
}
