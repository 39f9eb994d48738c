/** What binds a sealed output to its place: moved to another run or step it does not open. */
export function outputContext(runId: string, nodeId: string, iteration: string): string {
  return `output|${runId}|${nodeId}|${iteration}`;
}

/** What binds a run's sealed input to it. */
export function inputContext(runId: string): string {
  return `input|${runId}`;
}
