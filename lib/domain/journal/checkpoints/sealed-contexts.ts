/** The context that binds a sealed output to its place: moved to another run or step, it cannot be decrypted. */
export function outputContext(runId: string, nodeId: string, iteration: string): string {
  return `output|${runId}|${nodeId}|${iteration}`;
}

/** The context that binds a run's sealed input to the run. */
export function inputContext(runId: string): string {
  return `input|${runId}`;
}

/** The context that binds the sealed output of a run to the run. */
export function runOutputContext(runId: string): string {
  return `run-output|${runId}`;
}
