import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { test as base, expect, type Product } from "#e2e/fixtures";

const execute = promisify(execFile);

const read = (product: Product, file: string) => JSON.parse(readFileSync(join(product.data_dir, file), "utf8"));

const test = base.extend<{ replicas: string[]; admin: (...words: string[]) => Promise<Record<string, string>> }>({
  /** Starts two web servers and two workers on one database, as behind a load balancer. */
  replicas: async ({ product, startEmptyProduct }, use) => {
    const second = await startEmptyProduct({
      DATABASE_URL: read(product, "instance.json").databaseUrl,
      ENCRYPTION_KEYS: read(product, "secrets.json").encryptionKeys,
    });
    await use([product.url, second.url]);
  },

  admin: async ({ product }, use) => {
    await use(async (...words) => {
      const env = { ...process.env, DATA_DIR: product.data_dir };
      const { stdout } = await execute(process.execPath, ["scripts/start.mjs", "admin", ...words], { env });
      return JSON.parse(stdout);
    });
  },
});

const CONNECTIONS = 50;

/** Sends all requests at once, each on its own connection, and returns the answers. */
async function sendAll<T>(count: number, send: (index: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  let next = 0;
  const connection = async () => {
    while (next < count) answers.push(await send(next++));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return answers;
}

test("two replicas share one exact rate window, and equal calls create only one run", async ({
  replicas,
  admin,
  product,
}) => {
  test.slow();
  const replica = (index: number) => replicas[index % replicas.length] ?? "";

  const id = randomUUID().slice(0, 8);
  const email = `${id}@example.com`;
  await admin("create-user", "--email", email, "--password", "a phrase of five words", "--name", "Grace");
  await admin("create-workspace", "--slug", id, "--name", "Replicas", "--plan", "starter", "--owner", email);
  const { raw_key: rawKey } = await admin("create-key", "--workspace", id, "--name", "limited");
  const statuses = await sendAll(900, async (index) => {
    const url = `${replica(index)}/api/v1/runtime/actions`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${rawKey}` } });
    await answer.text();
    return answer.status;
  });
  expect(statuses.filter((status) => status === 200)).toHaveLength(300);
  expect(statuses.filter((status) => status === 429)).toHaveLength(600);

  const calls = await sendAll(20, async (index) => {
    const answer = await fetch(`${replica(index)}/api/v1/runtime/actions/${product.slug}/run`, {
      method: "POST",
      headers: { authorization: `Bearer ${product.raw_key}`, "idempotency-key": `replicas:${id}` },
      body: JSON.stringify({ input: product.input }),
    });
    return { status: answer.status, run: (await answer.json()) as { run_id: string } };
  });
  expect(new Set(calls.map(({ run }) => run.run_id)).size).toBe(1);
  expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 202));
});
