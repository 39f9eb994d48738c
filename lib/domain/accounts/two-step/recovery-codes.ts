import { createHash, randomInt } from "node:crypto";
import { LIMITS } from "#lib/contract/limits";
import { bytea, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import type { PrismaDb, PrismaTx } from "#lib/platform/db/prisma";

/** Crockford's base32: no letter that reads like a digit. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
/** 80 bits: too many to try against a stolen hash, so a fast hash is enough. */
const CHARACTERS = 16;
const GROUP = 4;

/** Creates the recovery codes of a person, which replace the earlier ones. The codes are shown once. */
export async function issueRecoveryCodes(tx: PrismaTx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: LIMITS.recoveryCodes }, newCode);
  await tx.prisma.userRecoveryCode.deleteMany({ where: { userId } });
  await tx.prisma.userRecoveryCode.createMany({
    data: codes.map((code) => ({ userId, codeHash: hashOf(userId, code) })),
  });
  return codes;
}

const useCode = defineStatement({
  name: "use_recovery_code",
  params: { userId: uuid, hash: bytea },
  sql: `update user_recovery_codes set used_at = now() where user_id = $1 and code_hash = $2 and used_at is null`,
  isPrepared: false,
});

/** Uses up a recovery code. Of two requests with the same code one gets false. */
export async function takeRecoveryCode(tx: Db, userId: string, code: string): Promise<boolean> {
  return (await useCode.run(tx, { userId, hash: hashOf(userId, code) })) === 1;
}

export function countRecoveryCodes(prisma: PrismaDb, userId: string): Promise<number> {
  return prisma.userRecoveryCode.count({ where: { userId, usedAt: null } });
}

function newCode(): string {
  const characters = Array.from({ length: CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return characters.join("").replace(new RegExp(`(.{${GROUP}})(?=.)`, "g"), "$1-");
}

/** Hyphens, spaces and letter case don't count, and letters that read like a digit are that digit. */
function hashOf(userId: string, code: string): Buffer<ArrayBuffer> {
  const plain = code.toLowerCase().replace(/[\s-]/g, "").replace(/o/g, "0").replace(/[il]/g, "1");
  return Buffer.from(createHash("sha256").update(`${userId}:${plain}`).digest());
}
