import { parseArgs } from "node:util";
import type { z } from "zod";

type Flags = Record<string, string | boolean | undefined>;

/** What a command reads from the user's machine, which may not be the process that runs it. */
export interface CommandInput {
  /**
   * Reads a secret without echo from the terminal, or from the first line of stdin in a script.
   * @throws Error if nothing was entered
   */
  readSecret(name: string): Promise<string>;
  /** @param file relative to the user's current folder, or `-` for stdin */
  readText(file: string): Promise<string>;
}

/** One command. Its flags are the wire names with dashes (decisions, Admin commands). */
export interface AdminCommand {
  /** The flags without their dashes. A `boolean` flag takes no value. */
  options: Record<string, { type: "string" | "boolean" }>;
  /**
   * Checks the flags and runs the command.
   * @returns the value for stdout, which is printed as JSON
   */
  run(flags: Flags, input: CommandInput): Promise<unknown>;
}

/** Binds a command to a schema whose keys are wire names: `expires_at` is `--expires-at`. */
export function adminCommand<Schema extends z.ZodObject>(
  schema: Schema,
  run: (flags: z.output<Schema>, input: CommandInput) => Promise<unknown>,
): AdminCommand {
  const fields = Object.entries<z.core.$ZodType>(schema.shape);
  const isSwitch = (field: z.core.$ZodType) => (field as z.ZodType).safeParse(true).data === true;
  return {
    options: Object.fromEntries(
      fields.map(([name, field]) => [toFlag(name), { type: isSwitch(field) ? "boolean" : "string" }]),
    ),
    run: (flags, input) => {
      const parsed = schema.safeParse(Object.fromEntries(fields.map(([name]) => [name, flags[toFlag(name)]])));
      if (parsed.success) return run(parsed.data, input);
      throw new Error(
        parsed.error.issues.map(({ path, message }) => `--${toFlag(path.join("."))}: ${message}`).join("\n"),
      );
    },
  };
}

/** @throws Error for a flag that the command does not have */
export function parseFlags(command: AdminCommand, args: string[]): Flags {
  return parseArgs({ args, options: command.options, strict: true, allowPositionals: false }).values;
}

function toFlag(name: string): string {
  return name.replaceAll("_", "-");
}
