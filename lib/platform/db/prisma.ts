import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import type { SqlDriverAdapterFactory, Transaction } from "@prisma/driver-adapter-utils";
import type pg from "pg";
import { type Prisma, PrismaClient } from "#lib/platform/db/generated/client";
import { type Db, db, transaction } from "#lib/platform/db/pool";
import { shareInProcess } from "#lib/support/share-in-process";

/** The models of Prisma, on the pool or inside a transaction. */
export type PrismaDb = Prisma.TransactionClient;

/** A transaction for statements and for Prisma: both use its one connection. */
export interface PrismaTx extends Db {
  readonly prisma: PrismaDb;
}

/** The longest delay that `setTimeout` supports. Each statement has a time limit (pool.ts). */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** The open transaction that the next transaction of Prisma joins; null once it has joined. */
interface Joining {
  tx: Db | null;
}

/** Kept together: a client whose adapter looked into another storage would write on another connection. */
function open() {
  return shareInProcess("prisma", () => {
    const joinable = new AsyncLocalStorage<Joining>();
    const transactionOptions = { maxWait: NO_LIMIT_MS, timeout: NO_LIMIT_MS };
    return { joinable, client: new PrismaClient({ adapter: joiningAdapter(joinable), transactionOptions }) };
  });
}

/** Prisma on the process's own pool. Hot paths write their SQL themselves (docs/architecture.md). */
export function prisma(): PrismaClient {
  return open().client;
}

/**
 * transaction(), for work that uses Prisma too. Prisma joins the open transaction instead of starting its own, which
 * costs 0.05 ms; a Prisma client for each transaction costs 40 ms.
 */
export async function prismaTransaction<T>(work: (tx: PrismaTx) => Promise<T>): Promise<T> {
  const { client, joinable } = open();
  return transaction((tx) => {
    const joining: Joining = { tx };
    return joinable.run(joining, () =>
      client.$transaction((joined) => {
        if (joining.tx) throw new Error("Prisma started its own transaction instead of joining the open one");
        return work({ query: tx.query.bind(tx), prisma: joined });
      }),
    );
  });
}

/** Prisma's adapter for PostgreSQL, except that its transactions join the one that prismaTransaction() has opened. */
function joiningAdapter(joinable: AsyncLocalStorage<Joining>): SqlDriverAdapterFactory {
  const factory = new PrismaPg(db());
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const pooled = await factory.connect();
      const startOwn = pooled.startTransaction.bind(pooled);
      pooled.startTransaction = async (isolationLevel) => {
        const joining = joinable.getStore();
        if (!joining?.tx) return startOwn(isolationLevel);
        const { tx } = joining;
        // Used once: a later transaction that Prisma starts on the pool, for a nested write, is separate.
        joining.tx = null;
        return joinTransaction(tx);
      };
      return pooled;
    },
  };
}

async function joinTransaction(tx: Db): Promise<Transaction> {
  // The adapter takes only a pool, and listens to its errors. Ten listeners at a time would be reported as a leak.
  const connection: pg.Pool = Object.create(db(), {
    query: { value: tx.query.bind(tx) },
    on: { value: () => {} },
  });
  const adapter = await new PrismaPg(connection).connect();
  // A phantom query: Prisma sends neither commit nor rollback. transaction() does.
  return Object.assign(adapter, {
    options: { usePhantomQuery: true },
    commit: async () => {},
    rollback: async () => {},
  });
}
