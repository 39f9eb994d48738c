/** A step of a run: a node in one iteration. Everything the engine keeps is kept by it. */
export type StepKey = `${string}|${string}`;

/** @param iteration "" outside loops, else the path of indexes ("2.0") */
export function stepKey(nodeId: string, iteration: string): StepKey {
  return `${nodeId}|${iteration}`;
}
