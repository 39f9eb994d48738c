import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { log } from "#lib/config/log";
import { declareDead } from "#lib/runs/declare-dead";

export interface Quarantine {
  /** Starts the quarantine worker unless ours is there already. */
  ensure(): void;
  stop(): void;
}

/**
 * The process in which suspect runs go on, one at a time: a run that kills its worker there kills nothing else
 * (decisions, Runs). It is started when it is needed and ends when nothing suspect is left.
 */
export function openQuarantine(): Quarantine {
  let child: ChildProcess | null = null;
  return {
    ensure: () => {
      if (child) return;
      log.warn("a run seems to end its worker; it goes on in quarantine");
      const started = fork(join(import.meta.dirname, "main.ts"), ["--quarantine"]);
      child = started;
      let poolId: string | null = null;
      started.on("message", (message: { type?: unknown; poolId?: unknown }) => {
        if (message.type === "pool" && typeof message.poolId === "string") poolId = message.poolId;
      });
      started.on("error", (error) => log.error({ err: error }, "the quarantine worker could not be started"));
      started.once("exit", () => {
        child = null;
        if (poolId === null) return;
        declareDead([poolId]).catch((error: unknown) => log.warn({ err: error }, "the sweeper takes over"));
      });
    },
    stop: () => {
      child?.kill("SIGTERM");
    },
  };
}
