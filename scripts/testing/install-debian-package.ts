import { existsSync } from "node:fs";
import { runProgram } from "#scripts/run-program";

/** Returns true if this process can install Debian packages. */
export function canInstallDebianPackages(): boolean {
  return process.getuid?.() === 0 && existsSync("/etc/debian_version");
}

/** @throws Error with apt-get's output */
export async function installDebianPackage(name: string): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", name]]) {
    await runProgram("apt-get", args, { env });
  }
}
