/** An instance's answer. */
export interface Answered {
  status: number;
  body: Record<string, unknown>;
}

interface RunRequest {
  slug: string;
  key: string;
  n: number;
  idempotencyKey: string;
}

/** Calls an action the way the load does. */
export async function startRun(url: string, { slug, key, n, idempotencyKey }: RunRequest): Promise<Answered> {
  return post(
    `${url}/api/v1/runtime/actions/${slug}/run`,
    key,
    { input: { n } },
    { "idempotency-key": idempotencyKey },
  );
}

interface DecisionRequest {
  key: string;
  runId: string;
  decision: "approved" | "rejected";
}

export async function decide(url: string, { key, runId, decision }: DecisionRequest): Promise<Answered> {
  return post(`${url}/api/v1/runtime/runs/${runId}/approve`, key, { decision });
}

async function post(url: string, key: string, body: object, headers: Record<string, string> = {}): Promise<Answered> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Answered["body"] };
}
