import { beforeEach, describe, expect, test, vi } from "vitest";
import { classifyDatabaseError } from "#lib/platform/db/classify-database-error";
import { db } from "#lib/platform/db/pool";
import { type PrismaTx, prisma, prismaTransaction } from "#lib/platform/db/prisma";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { exhaustPool } from "#lib/platform/db/test-pool";

useTestDatabase();

const insert = (tx: PrismaTx, name: string) =>
  tx.query({ text: "insert into instance_settings (name, value) values ($1, '1')", values: [name] });

async function storedNames(): Promise<string[]> {
  const rows = await prisma().instanceSetting.findMany({ where: { name: { startsWith: "test " } } });
  return rows.map(({ name }) => name).sort();
}

const faultOf = (work: Promise<unknown>) => work.then(() => null, classifyDatabaseError);

beforeEach(() => db().query("delete from instance_settings"));

describe("a transaction with Prisma", () => {
  test("runs statements and Prisma on one connection, and each sees what the other wrote", async () => {
    await prismaTransaction(async (tx) => {
      await insert(tx, "test statement");
      await tx.prisma.instanceSetting.update({ where: { name: "test statement" }, data: { value: 2 } });
      await tx.prisma.instanceSetting.create({ data: { name: "test prisma", value: 1 } });
      const { rows } = await tx.query({ text: "select name, value from instance_settings order by name" });
      expect(rows).toEqual([
        { name: "test prisma", value: 1 },
        { name: "test statement", value: 2 },
      ]);
      expect(await storedNames()).toEqual([]);
      const [backend] = await tx.prisma.$queryRaw<{ pid: number }[]>`select pg_backend_pid() as pid`;
      const own = await tx.query<{ pid: number }>({ text: "select pg_backend_pid() as pid" });
      expect(own.rows[0]).toEqual(backend);
    });
    expect(await storedNames()).toEqual(["test prisma", "test statement"]);
  });

  test("writes nothing if the work throws, and passes the error on", async () => {
    const refusal = new Error("refused");
    const work = prismaTransaction(async (tx) => {
      await tx.prisma.instanceSetting.create({ data: { name: "test prisma", value: 1 } });
      await insert(tx, "test statement");
      throw refusal;
    });
    await expect(work).rejects.toBe(refusal);
    expect(await storedNames()).toEqual([]);
  });

  test("joins in every copy of the module, because a build has several and they share one client", async () => {
    await storedNames();
    vi.resetModules();
    const copy = await import("#lib/platform/db/prisma");
    await copy.prismaTransaction(async (tx) => {
      await insert(tx, "test statement");
      expect(await tx.prisma.instanceSetting.count({ where: { name: "test statement" } })).toBe(1);
    });
    expect(await storedNames()).toEqual(["test statement"]);
  });

  test("keeps concurrent transactions apart, although Prisma batches lookups of the same tick", async () => {
    const names = Array.from({ length: 10 }, (_, index) => `test ${index}`);
    const seen = names.map((name) =>
      prismaTransaction(async (tx) => {
        await insert(tx, name);
        const lookups = names.map((other) => tx.prisma.instanceSetting.findUnique({ where: { name: other } }));
        // Rolled back, so that no transaction sees what another has committed.
        throw (await Promise.all(lookups)).flatMap((found) => found?.name ?? []);
      }).catch((found: unknown) => found),
    );
    expect(await Promise.all(seen)).toEqual(names.map((name) => [name]));
  });

  test("leaves other uses of Prisma on the pool, including nested writes and batches", async () => {
    const work = prismaTransaction(async (tx) => {
      await insert(tx, "test inside");
      await prisma().$transaction([
        prisma().instanceSetting.create({ data: { name: "test batch 1", value: 1 } }),
        prisma().instanceSetting.create({ data: { name: "test batch 2", value: 1 } }),
      ]);
      throw new Error("rolled back");
    });
    await expect(work).rejects.toThrow("rolled back");
    expect(await storedNames()).toEqual(["test batch 1", "test batch 2"]);
  });

  test("refuses further use after its end", async () => {
    const escaped = await prismaTransaction(async (tx) => tx.prisma);
    await expect(escaped.instanceSetting.count()).rejects.toThrow();
  });

  test("adds no listener to the pool, even while it is open", async () => {
    await prisma().instanceSetting.count();
    const before = db().listenerCount("error");
    const during = await prismaTransaction(async (tx) => {
      await tx.prisma.instanceSetting.count();
      return db().listenerCount("error");
    });
    expect([during, db().listenerCount("error")]).toEqual([before, before]);
  });
});

describe("an error inside a transaction with Prisma", () => {
  test("a unique violation names the constraint", async () => {
    await prisma().instanceSetting.create({ data: { name: "test", value: 1 } });
    const work = prismaTransaction((tx) => tx.prisma.instanceSetting.create({ data: { name: "test", value: 1 } }));
    const expected = { fault: "unique_violation", sqlState: "23505", constraint: "instance_settings_pkey" };
    expect(await faultOf(work)).toEqual(expected);
  });

  test("a lost connection is shutting_down or connection_lost, and the next transaction gets another", async () => {
    const work = prismaTransaction(async (tx) => {
      const { rows } = await tx.query<{ pid: number }>({ text: "select pg_backend_pid() as pid" });
      await db().query("select pg_terminate_backend($1)", [rows[0]?.pid]);
      await tx.prisma.instanceSetting.count();
    });
    expect(["shutting_down", "connection_lost"]).toContain((await faultOf(work))?.fault);
    expect(await prismaTransaction((tx) => tx.prisma.instanceSetting.count())).toBe(0);
  });

  test("no free connection is pool_exhausted, for models on the pool too", async () => {
    const release = await exhaustPool();
    const faults = await Promise.all([
      faultOf(prismaTransaction((tx) => tx.prisma.instanceSetting.count())),
      faultOf(prisma().instanceSetting.count()),
      faultOf(prisma().instanceSetting.findUnique({ where: { name: "test" } })),
      faultOf(prisma().instanceSetting.create({ data: { name: "test", value: 1 } })),
      faultOf(prisma().$transaction([prisma().instanceSetting.count()])),
    ]);
    release();
    expect(faults.map((fault) => fault?.fault)).toEqual(faults.map(() => "pool_exhausted"));
  });
});
