import { setTimeout as sleep } from "node:timers/promises";
import { median } from "#bench/measure/statistics";

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/**
 * Returns the CPU time of the longest turn of the event loop while the work runs, in ms. The result is the median over
 * the rounds after a warm-up. It is this thread's CPU time, because another program on the machine must not count.
 */
export async function longestBlock(work: () => Promise<unknown>, rounds: number): Promise<number> {
  const longest: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    let isOver = false;
    let longestMs = 0;
    let lastMs = cpuMs();
    const turn = () => {
      const nowMs = cpuMs();
      longestMs = Math.max(longestMs, nowMs - lastMs);
      lastMs = nowMs;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await sleep(1);
    longestMs = 0;
    // A refusal is a valid answer, and takes time too.
    await work().catch(() => undefined);
    await sleep(1);
    isOver = true;
    if (round > 0) longest.push(longestMs);
  }
  return median(longest);
}
