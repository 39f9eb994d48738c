import { existsSync } from "node:fs";
import { runProgram } from "#scripts/run-program";

/** Whether this process can install packages of Debian. */
export function canInstallDebianPackages(): boolean {
  return process.getuid?.() === 0 && existsSync("/etc/debian_version");
}

/** @throws Error with the output of apt-get */
export async function installDebianPackage(name: string): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", name]]) {
    await runProgram("apt-get", args, { env });
  }
}
