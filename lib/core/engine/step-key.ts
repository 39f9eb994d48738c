/** Identifies a step of a run: a node in one iteration. The engine stores all step state under this key. */
export type StepKey = `${string}|${string}`;

/** @param iteration "" outside loops, otherwise the path of indexes ("2.0") */
export function stepKey(nodeId: string, iteration: string): StepKey {
  return `${nodeId}|${iteration}`;
}

export function readStepKey(key: StepKey): { nodeId: string; iteration: string } {
  const at = key.indexOf("|");
  return { nodeId: key.slice(0, at), iteration: key.slice(at + 1) };
}

/** @param index zero-based index in a loop that is itself in `iteration` */
export function iterationInside(iteration: string, index: number): string {
  return iteration === "" ? String(index) : `${iteration}.${index}`;
}
