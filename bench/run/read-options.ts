import { parseArgs } from "node:util";
import { z } from "zod";

/** An option without a value. */
export const FLAG = z.boolean().default(false);

/** Returns an option whose value is a whole number. */
export function whole(byDefault: number) {
  return z
    .string()
    .regex(/^\d{1,7}$/, "must be a whole number")
    .transform(Number)
    .default(byDefault);
}

/** Returns an option whose value is a number above 0. */
export function positive() {
  const message = "must be a number above 0";
  return z.coerce.number(message).positive(message);
}

/**
 * Returns the option `--only`, whose value is a list of names. A group's name selects all names of the group. The names
 * may also be given without `--only`.
 */
export function namesOf<Name extends string>(known: readonly Name[], groups: Record<string, readonly Name[]> = {}) {
  return z.string().transform((text, context): Name[] =>
    text.split(",").flatMap((given) => {
      const name = given.trim().toLowerCase();
      const found = groups[name] ?? known.filter((one) => one === name);
      if (found.length === 0) {
        const names = [...new Set([...Object.keys(groups), ...known])].join(", ");
        context.addIssue({ code: "custom", message: `knows ${names}, not "${given}"` });
      }
      return found;
    }),
  );
}

/** @throws Error that names the invalid options */
export function parseOptions<Shape extends z.ZodRawShape>(args: string[], shape: Shape): z.output<z.ZodObject<Shape>> {
  const types = Object.entries(shape).map(([name, option]) => {
    return [name, { type: option === FLAG ? "boolean" : "string" }] as const;
  });
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: Object.fromEntries(types) });
  const given = positionals.length > 0 ? { only: positionals.join(), ...values } : values;
  const parsed = z.object(shape).safeParse(given);
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map(({ path, message }) => `--${path.join()} ${message}`).join("\n"));
}

/** Reads the options of a command. Prints the usage and ends the process if it is requested or an option is invalid. */
export function readOptions<Shape extends z.ZodRawShape>(shape: Shape, usage: string): z.output<z.ZodObject<Shape>> {
  const args = process.argv.slice(2);
  if (args.includes("--help")) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseOptions(args, shape);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}\n`);
    process.exit(1);
  }
}
