import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { AttackerData, AttackerMessage } from "#bench/abuse/attacker";

type Ready = Extract<AttackerMessage, { kind: "ready" }>;
type Ended = Extract<AttackerMessage, { kind: "ended" }>;

export interface Attacker extends Omit<Ready, "kind"> {
  strike(): void;
  /** Ends the attack and returns what the attacker saw. */
  stop(): Promise<Omit<Ended, "kind">>;
}

/** The time that an attack gets to stop. An attack that cannot be interrupted is reported without its facts. */
const STOP_MS = 60_000;

/** Starts the attacker's thread and waits until the attack is prepared. */
export async function startAttacker(data: AttackerData): Promise<Attacker> {
  const thread = new Worker(new URL("attacker.ts", import.meta.url), { workerData: data });
  const failed = once(thread, "error").then(([error]) => Promise.reject(error as Error));
  failed.catch(() => {});
  const next = async () => (await Promise.race([once(thread, "message"), failed]))[0] as AttackerMessage;
  const first = await next();
  if (first.kind !== "ready") throw new Error("the attacker ended before it was ready");
  const { kind: _, ...ready } = first;
  return {
    ...ready,
    strike: () => thread.postMessage("strike"),
    stop: async () => {
      thread.postMessage("stop");
      const late = new Promise<null>((resolve) => void setTimeout(resolve, STOP_MS, null).unref());
      const last = await Promise.race([next(), late]);
      await thread.terminate();
      if (last?.kind !== "ended") {
        const fact = { what: "the attack can be ended", isMet: false, measured: `not within ${STOP_MS / 1_000} s` };
        return { facts: [fact], answers: [] };
      }
      return { facts: last.facts, answers: last.answers };
    },
  };
}
