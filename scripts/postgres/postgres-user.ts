import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";

/** The user that runs PostgreSQL. Null means the current user. */
export type PostgresUser = { uid: number; gid: number } | null;

const NAME = "postgres";

/**
 * Returns the user that runs PostgreSQL, which refuses to run as root. So root runs it as the owner of the cluster, and
 * creates new clusters for the system's user `postgres`, which is created if it is missing.
 */
export function requirePostgresUser(cluster: string): PostgresUser {
  if (process.getuid?.() !== 0) return null;
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const user = lookUp() ?? create();
  if (user) return user;
  throw new Error(
    `PostgreSQL cannot run as root, and the user "${NAME}" could not be created. ` +
      "Start as an ordinary user, or set DATABASE_URL to your own PostgreSQL.",
  );
}

function lookUp(): PostgresUser {
  const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, NAME], { encoding: "utf8" }));
  if (uid?.status !== 0 || gid?.status !== 0) return null;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

function create(): PostgresUser {
  spawnSync("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", NAME]);
  return lookUp();
}

/** Returns true if `user` can enter `folder`. It really tries, because every folder above it and access lists count. */
export function canEnter(user: PostgresUser, folder: string): boolean {
  if (user === null) return true;
  return spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], { ...user, cwd: "/", stdio: "ignore" }).status === 0;
}
