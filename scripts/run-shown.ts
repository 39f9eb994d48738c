import { spawn } from "node:child_process";
import { once } from "node:events";

/** Runs a program whose output the user sees. Resolves with its exit code, or 1 if a signal ended it. */
export async function runShown(program: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(program, args, {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...env },
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}
