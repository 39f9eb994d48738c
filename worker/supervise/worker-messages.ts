/** What a worker process sends to the process that started it, over IPC. */
export type WorkerMessage =
  /** The pool that is about to take its first job. */
  | { type: "pool"; poolId: string }
  /** A suspect run waits and there is no quarantine worker. */
  | { type: "quarantine" };

/** Sends a message to the process that started this one, if it listens. */
export function tellSupervisor(message: WorkerMessage): void {
  // Without a listener we are draining already; ending at once would blame the running run.
  process.send?.(message, undefined, undefined, () => {});
}

/** @returns the pool's id if the message has one */
export function toldPool(message: unknown): string | null {
  const told = message as Partial<WorkerMessage> | null;
  return told?.type === "pool" && typeof told.poolId === "string" ? told.poolId : null;
}

export function isAskingForQuarantine(message: unknown): boolean {
  return (message as Partial<WorkerMessage> | null)?.type === "quarantine";
}
