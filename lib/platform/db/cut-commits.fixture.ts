import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { useTestDatabase } from "#lib/platform/db/test-database";

/** Which side of a commit the connection is lost on: before PostgreSQL gets it, or after PostgreSQL has done it. */
export type CutSide = "before" | "after";

export interface CommitCutter {
  /**
   * Cuts the connection at the commit of a transaction that sends `statement`, as if the process died there.
   * @param nth which of these transactions from now on, counted from 1
   */
  cut(side: CutSide, statement: string, nth?: number): void;
  /** Returns how many commits were cut. */
  cuts(): number;
}

const COMMIT = Buffer.from("commit\0");
const BEGIN = Buffer.from("begin\0");

interface Plan {
  side: CutSide;
  statement: Buffer;
  left: number;
}

/** useTestDatabase(), behind a proxy that can lose a connection at a commit. */
export function useCuttableDatabase(): CommitCutter {
  useTestDatabase();
  let plan: Plan | null = null;
  let done = 0;

  /** @returns the side to cut this commit on, if the plan is about it */
  function takePlan(hasSent: (statement: Buffer) => boolean): CutSide | null {
    if (!plan || !hasSent(plan.statement)) return null;
    plan.left -= 1;
    if (plan.left > 0) return null;
    const { side } = plan;
    plan = null;
    done += 1;
    return side;
  }

  const proxy = createServer((client) => {
    const server = connect(target);
    let sent: Buffer[] = [];
    let isLast = false;
    client.on("data", (data) => {
      if (data.includes(BEGIN)) sent = [];
      sent.push(data);
      const side = data.includes(COMMIT) ? takePlan((statement) => Buffer.concat(sent).includes(statement)) : null;
      if (side === "before") return endBoth(client, server);
      isLast = side === "after";
      server.write(data);
    });
    server.on("data", (data) => (isLast ? endBoth(client, server) : client.write(data)));
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on("error", () => to.destroy()).on("close", () => to.destroy());
    }
  });
  const target = { host: "127.0.0.1", port: 0 };

  beforeAll(async () => {
    const url = new URL(process.env.DATABASE_URL ?? "");
    Object.assign(target, { host: url.hostname, port: Number(url.port) });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    url.hostname = "127.0.0.1";
    url.port = String((proxy.address() as AddressInfo).port);
    process.env.DATABASE_URL = url.href;
  });
  afterAll(() => {
    proxy.close();
  });

  return {
    cut: (side, statement, nth = 1) => {
      plan = { side, statement: Buffer.from(statement), left: nth };
    },
    cuts: () => done,
  };
}

function endBoth(client: Socket, server: Socket): void {
  client.destroy();
  server.destroy();
}
