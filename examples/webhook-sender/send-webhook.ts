// Signs an event and sends it to the address of a workflow's webhook trigger, as Standard Webhooks defines it.
import { createHmac, randomUUID } from "node:crypto";

const { WEBHOOK_URL = "", WEBHOOK_SECRET = "" } = process.env;
const [body = '{"type":"order.paid","data":{"id":"A-1001","total":42.5}}'] = process.argv.slice(2);
const RETRIES = 4;

/** Signs the id, the time and the exact bytes of the body. The receiver refuses a timestamp older than five minutes. */
function sign(id: string, timestamp: string): string {
  const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}

/** Sends the event, and sends it again while the receiver is busy or unreachable. */
async function send(): Promise<Response> {
  // One id per event: an event that arrives twice with the same id starts one run.
  const id = process.env.WEBHOOK_ID ?? `msg_${randomUUID()}`;
  for (let attempt = 0; ; attempt += 1) {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const response = await fetch(WEBHOOK_URL, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": sign(id, timestamp),
      },
      body,
    }).catch((error: unknown) => {
      if (attempt === RETRIES) throw error;
      return null;
    });
    if (response && (attempt === RETRIES || ![429, 500, 502, 503, 504].includes(response.status))) return response;
    await new Promise((done) => setTimeout(done, 1_000 * 2 ** attempt));
  }
}

const response = await send();
console.log(await response.text());
// 202: a run was started. 200: this event had already started one.
if (!response.ok) process.exitCode = 1;
