/**
 * Reads the options of a program. Prints the usage when it is asked for, and the fault before it when there is one.
 * @param parse returns null when the usage is asked for, and throws an Error that says what is wrong
 * @returns null when there is nothing to run
 */
export function readOptions<Options>(
  args: string[],
  parse: (args: string[]) => Options | null,
  usage: string,
): Options | null {
  try {
    const options = parse(args);
    if (!options) process.stdout.write(`${usage}\n`);
    return options;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}\n`);
    return null;
  }
}
