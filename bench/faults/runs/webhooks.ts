import { setTimeout as sleep } from "node:timers/promises";
import { noteRow, type Row } from "#bench/faults/result-table";
import type { ScenarioOptions } from "#bench/faults/scene";
import { planDeliveries, type SentDelivery, sendDelivery, type WebhookDelivery } from "#bench/faults/webhook-sender";
import { webhookRows } from "#bench/faults/webhook-violations";
import { waitForRuns, webhookDefinition } from "#bench/faults/workload";
import { type OutsideServer, startOutside } from "#bench/stage/outside";
import { type Product, startProduct } from "#bench/stage/product";
import { killHard } from "#bench/stage/start-host";
import { until } from "#bench/stage/until";
import { seededRandom } from "#lib/support/seeded-random.fixture";

interface WebhookOptions extends ScenarioOptions {
  deliveries: number;
  /** The number of times that a worker gets a kill -9. */
  kills: number;
  /** The number of times that the web server gets a kill -9. */
  webKills: number;
}

const ID = "webhooks";
const WORKERS = 3;
const SENDERS = 16;
const LATENCY_MS = 40;
const BACK_MS = 60_000;

/**
 * Sends signed webhooks over real HTTP to the whole product while its processes are killed. Some webhooks are repeated,
 * forged, or retried. Genuine deliveries run once, and no other delivery runs.
 */
export async function webhooks(options: WebhookOptions): Promise<Row[]> {
  const { deliveries, seed, report } = options;
  const random = seededRandom(seed).next;
  const plan = planDeliveries(deliveries, random);
  const outside = await startOutside({ latencyMs: () => 1 + random() * LATENCY_MS });
  const product = await startProduct({ workers: WORKERS, env: { OUTBOUND_ALLOW: "127.0.0.1" } });
  try {
    const url = await product.activate("webhooks", webhookDefinition(outside.url));
    const sent: SentDelivery[] = [];
    const startedMs = performance.now();
    await Promise.all([sendAll(url, plan, sent), strike(product, options, sent, random)]);
    const sendingSeconds = (performance.now() - startedMs) / 1_000;
    report(`${ID}: ${sent.length} deliveries are answered`);
    await waitForRuns(BACK_MS, product.db);
    const totalSeconds = (performance.now() - startedMs) / 1_000;
    return [
      ...(await webhookRows(ID, sent, outside.calls, product.db)),
      ...noteRows(sent, outside),
      noteRow(ID, "answered in, and ended in", `${sendingSeconds.toFixed(0)} s, ${totalSeconds.toFixed(0)} s`),
    ];
  } finally {
    await product.stop();
    await outside.close();
  }
}

async function sendAll(url: string, plan: readonly WebhookDelivery[], sent: SentDelivery[]): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      for (let delivery = plan[next++]; delivery; delivery = plan[next++]) sent.push(await sendDelivery(url, delivery));
    }),
  );
}

/** Strikes at even shares of the work. The web server's blows come between the workers' blows. */
async function strike(
  product: Product,
  { deliveries, kills, webKills, report }: WebhookOptions,
  sent: readonly SentDelivery[],
  random: () => number,
): Promise<void> {
  const blows = Array.from({ length: kills + webKills }, (_, index) => index);
  const everyWeb = Math.floor(blows.length / (webKills + 1));
  for (const index of blows) {
    const due = ((index + 0.5) / blows.length) * 0.95 * deliveries;
    while (sent.length < due) await sleep(10);
    const isWeb = everyWeb > 0 && index % everyWeb === 0 && index > 0 && index <= everyWeb * webKills;
    report(`${ID}: kill -9 of ${isWeb ? "the web server" : "a worker"} (${index + 1} of ${blows.length})`);
    const pids = await until("a process to kill", async () => {
      const { web, workers } = await product.pids().catch(() => ({ web: [], workers: [] }));
      const live = (isWeb ? web : workers).filter((pid) => killHard(pid, 0));
      return live.length > 0 && live;
    });
    killHard(pids[Math.floor(random() * pids.length)] ?? 0);
  }
}

function noteRows(sent: readonly SentDelivery[], outside: OutsideServer): Row[] {
  const retried = sent.filter((one) => one.failures > 0);
  const failures = retried.reduce((sum, one) => sum + one.failures, 0);
  const repeats = [...outside.calls.values()].reduce((sum, ofKey) => sum + ofKey.length - 1, 0);
  const forged = sent.filter((one) => one.forgery !== null).length;
  return [
    noteRow(
      ID,
      "deliveries: forged, answered as repetitions",
      `${forged}, ${sent.filter((one) => one.isDuplicate).length}`,
    ),
    noteRow(ID, "deliveries sent again, attempts that failed", `${retried.length}, ${failures}`),
    noteRow(ID, "calls repeated outside, with the same idempotency key", String(repeats)),
  ];
}
