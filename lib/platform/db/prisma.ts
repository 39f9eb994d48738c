import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "#lib/platform/db/generated/client";
import { db } from "#lib/platform/db/pool";

const shared = globalThis as { signalboxPrisma?: PrismaClient };

/** Prisma on the process's own pool. Hot paths write their SQL themselves (docs/architecture.md). */
export function prisma(): PrismaClient {
  shared.signalboxPrisma ??= new PrismaClient({ adapter: new PrismaPg(db()) });
  return shared.signalboxPrisma;
}
