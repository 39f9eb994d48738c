import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { reservePort } from "#scripts/testing/reserve-port";
import { endChild } from "#worker/supervise/keep-running";

/** A web server in a folder that looks like a new clone, on the database of an instance. */
export interface UnbuiltWeb {
  url: string;
  /** Puts the build into the folder. */
  finishBuild(): Promise<void>;
  stop(): Promise<void>;
}

const STOP_MS = 10_000;

/** @param dataDir of a running instance */
export async function startUnbuiltWeb(dataDir: string): Promise<UnbuiltWeb> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-unbuilt-"));
  const names = (await readdir(".")).filter((name) => name !== ".next" && name !== ".data");
  for (const name of names) await symlink(resolve(name), join(folder, name));
  const { databaseUrl } = JSON.parse(await readFile(join(dataDir, "instance.json"), "utf8"));
  const { encryptionKeys, nextauthSecret } = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
  const port = await reservePort();
  const url = `http://localhost:${port}`;
  const env = {
    ...process.env,
    NODE_ENV: "production" as const,
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: encryptionKeys,
    NEXTAUTH_SECRET: nextauthSecret,
    NEXTAUTH_URL: url,
    PUBLIC_BASE_URL: url,
    HOST: "127.0.0.1",
    PORT: String(port),
  };
  const child = spawn(process.execPath, ["server/main.ts"], { cwd: folder, env, stdio: "ignore" });
  return {
    url,
    finishBuild: () => symlink(resolve(".next"), join(folder, ".next")),
    stop: async () => {
      await endChild(child, STOP_MS);
      await rm(folder, { recursive: true });
    },
  };
}
