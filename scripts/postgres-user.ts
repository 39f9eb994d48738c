import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";

/** Whom PostgreSQL runs as. Null: as ourselves. */
export type PostgresUser = { uid: number; gid: number } | null;

const NAME = "postgres";

/**
 * PostgreSQL refuses to run as root. So root runs it as the owner of the cluster, and makes new clusters for the
 * system's user `postgres`, which is created where it is missing.
 */
export function requirePostgresUser(cluster: string): PostgresUser {
  if (process.getuid?.() !== 0) return null;
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const user = lookUp() ?? create();
  if (user) return user;
  throw new Error(
    `PostgreSQL cannot run as root, and the user "${NAME}" could not be created. ` +
      "Start as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.",
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

/** True when `user` can enter `folder`: every folder above it counts, and access lists too, hence the real attempt. */
export function canEnter(user: PostgresUser, folder: string): boolean {
  if (user === null) return true;
  return spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], { ...user, cwd: "/", stdio: "ignore" }).status === 0;
}
