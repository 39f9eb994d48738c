import { parseArgs } from "node:util";
import type { z } from "zod";

type Flags = Record<string, string | boolean | undefined>;

/** One command. Its flags are the wire names with dashes (decisions, Admin commands). */
export interface AdminCommand {
  /** The flags without their dashes. A `boolean` flag takes no value. */
  options: Record<string, { type: "string" | "boolean" }>;
  /**
   * Checks the flags and runs the command.
   * @returns the value for stdout, which is printed as JSON
   */
  run(flags: Flags): Promise<unknown>;
}

/** Binds a command to a schema whose keys are wire names: `expires_at` is `--expires-at`. */
export function adminCommand<Schema extends z.ZodObject>(
  input: Schema,
  run: (input: z.output<Schema>) => Promise<unknown>,
): AdminCommand {
  const fields = Object.entries<z.core.$ZodType>(input.shape);
  const isSwitch = (field: z.core.$ZodType) => (field as z.ZodType).safeParse(true).data === true;
  return {
    options: Object.fromEntries(
      fields.map(([name, field]) => [toFlag(name), { type: isSwitch(field) ? "boolean" : "string" }]),
    ),
    run: (flags) => {
      const parsed = input.safeParse(Object.fromEntries(fields.map(([name]) => [name, flags[toFlag(name)]])));
      if (parsed.success) return run(parsed.data);
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
