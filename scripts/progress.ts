/** Shows the result of a step after its label. */
type Note = (text: string) => void;

const TICK_MS = 1_000;

/**
 * Runs one step of a command with a line of progress on stderr: first the label, then the elapsed time. On a terminal,
 * the seconds count up, so that a long step does not look stuck.
 */
export async function showStep<T>(label: string, work: (note: Note) => Promise<T>): Promise<T> {
  const started = performance.now();
  const seconds = (digits: number) => `${((performance.now() - started) / 1_000).toFixed(digits)} s`;
  const isTerminal = process.stderr.isTTY === true;
  process.stderr.write(`  ${label} ... `);
  const tick = isTerminal
    ? setInterval(() => process.stderr.write(`\r  ${label} ... ${seconds(0)} `), TICK_MS)
    : undefined;
  const restart = isTerminal ? `\r  ${label} ... ` : "";
  let noted = "";
  try {
    const result = await work((text) => {
      noted = `${text}, `;
    });
    process.stderr.write(`${restart}${noted}${seconds(1)}\n`);
    return result;
  } catch (error) {
    process.stderr.write(`${restart}failed\n`);
    throw error;
  } finally {
    clearInterval(tick);
  }
}
