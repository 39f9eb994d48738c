/** Shows the result of a step after its label, or what the step waits for. */
type Note = (text: string) => void;

const TICK_MS = 1_000;
/** How many ticks pass between two lines about a step that is not done. */
const LINE_TICKS = 10;

/** Where the progress is shown, and the time. */
interface Display {
  write(text: string): void;
  isTerminal: boolean;
  now(): number;
  /** Calls `tick` once per second. @returns a function that ends it */
  everySecond(tick: () => void): () => void;
}

const STDERR: Display = {
  write: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  now: () => performance.now(),
  everySecond: (tick) => {
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  },
};

/**
 * Runs one step of a command with a line of progress on stderr: first the label, then the elapsed time. On a terminal,
 * the seconds count up, so that a long step does not look stuck. Every ten seconds one more line says what is not done.
 */
export async function showStep<T>(
  label: string,
  work: (note: Note, waitFor: Note) => Promise<T>,
  { write, isTerminal, now, everySecond }: Display = STDERR,
): Promise<T> {
  const started = now();
  const seconds = (digits: number) => `${((now() - started) / 1_000).toFixed(digits)} s`;
  const restart = isTerminal ? `\r  ${label} ... ` : "";
  let noted = "";
  let missing = "";
  let ticks = 0;
  write(`  ${label} ... `);
  const endTicks = everySecond(() => {
    ticks += 1;
    if (ticks % LINE_TICKS === 0) write(`${restart}not done after ${seconds(0)}${missing}\n  ${label} ... `);
    else if (isTerminal) write(`${restart}${seconds(0)} `);
  });
  try {
    const result = await work(
      (text) => {
        noted = `${text}, `;
      },
      (text) => {
        missing = `: ${text}`;
      },
    );
    write(`${restart}${noted}${seconds(1)}\n`);
    return result;
  } catch (error) {
    write(`${restart}failed\n`);
    throw error;
  } finally {
    endTicks();
  }
}
