/**
 * Reads the options of a program. Prints the usage on request, and after an error message if an option is invalid.
 * @param parse returns null if the usage is requested, and throws an Error that says what is wrong
 * @returns null if there is nothing to run
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
