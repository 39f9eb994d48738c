import { checkEncryptionKeys } from "#lib/domain/resealing/check-encryption-keys";
import { env } from "#lib/platform/config/env";
import { repeatConnectTimeouts } from "#lib/platform/db/connect-client";
import { closeDb } from "#lib/platform/db/pool";
import { migrate } from "#prisma/migrate";
import type { Demo } from "#prisma/seed";

/** The tasks of the launcher, in order. */
export type SetupRequest =
  | { task: "migrate" }
  | { task: "check_keys" }
  | { task: "seed"; password: string; rawKey?: string };
export type SetupAnswer = { applied: number } | { demo: Demo | null } | { error: string };

async function answer(request: SetupRequest): Promise<SetupAnswer> {
  try {
    const { DATABASE_URL, DATABASE_URL_DIRECT } = env();
    if (request.task === "seed") {
      // It loads most of the product. Every start waits for the migrations, and many want no demo.
      const { seed } = await import("#prisma/seed");
      return { demo: await seed(request) };
    }
    const applied = request.task === "migrate" ? (await migrate(DATABASE_URL_DIRECT ?? DATABASE_URL)).length : 0;
    await repeatConnectTimeouts(checkEncryptionKeys);
    return { applied };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

// Runs in a separate process. In the launcher, the code for migrating and seeding, and 64 MiB for hashing a password,
// would stay in memory for the life of the instance.
process.on("message", (request: SetupRequest) => {
  void answer(request).then((message) => process.send?.(message));
});
process.once("disconnect", () => {
  void closeDb().finally(() => process.exit());
});
