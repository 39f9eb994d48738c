/** What a worker process tells the process that started it, over IPC. */
export type WorkerMessage =
  /** The pool that is about to take its first job. */
  | { type: "pool"; poolId: string }
  /** A suspect run waits and nobody is there to take it. */
  | { type: "quarantine" };

/** Says it to whoever started this process, if anyone listens. */
export function tellSupervisor(message: WorkerMessage): void {
  // Told that nobody listens, we are draining already; to end at once would blame the run in hand.
  process.send?.(message, undefined, undefined, () => {});
}

/** @returns the pool's id where the message tells one */
export function toldPool(message: unknown): string | null {
  const told = message as Partial<WorkerMessage> | null;
  return told?.type === "pool" && typeof told.poolId === "string" ? told.poolId : null;
}

export function isAskingForQuarantine(message: unknown): boolean {
  return (message as Partial<WorkerMessage> | null)?.type === "quarantine";
}
