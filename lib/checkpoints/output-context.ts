/** What binds a sealed output to its place: moved to another run or step it does not open. */
export function outputContext(runId: string, nodeId: string, iteration: string): string {
  return `output|${runId}|${nodeId}|${iteration}`;
}
