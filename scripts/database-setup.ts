import { checkEncryptionKeys } from "#lib/domain/resealing/check-encryption-keys";
import { env } from "#lib/platform/config/env";
import { closeDb } from "#lib/platform/db/pool";
import { migrate } from "#prisma/migrate";
import { type Demo, seed } from "#prisma/seed";

/** The launcher's tasks, in order. */
export type SetupRequest = { task: "migrate" } | { task: "seed"; password: string; rawKey?: string };
export type SetupAnswer = { applied: number } | { demo: Demo | null } | { error: string };

async function answer(request: SetupRequest): Promise<SetupAnswer> {
  try {
    const { DATABASE_URL, DATABASE_URL_DIRECT } = env();
    if (request.task === "migrate") {
      const applied = (await migrate(DATABASE_URL_DIRECT ?? DATABASE_URL)).length;
      await checkEncryptionKeys();
      return { applied };
    }
    return { demo: await seed(request) };
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
