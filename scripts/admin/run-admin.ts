import { ApiError } from "#lib/contract/error/api-error";
import { type CommandInput, parseFlags } from "#scripts/admin/admin-command";
import { ADMIN_COMMANDS } from "#scripts/admin/admin-commands";
import { USER_INPUT } from "#scripts/admin/read-from-user";

/**
 * Runs one admin command.
 * @returns the JSON text for stdout
 * @throws Error with a message for people
 */
export async function runAdmin(name: string, args: string[], input: CommandInput = USER_INPUT): Promise<string> {
  const listed = Object.hasOwn(ADMIN_COMMANDS, name) ? ADMIN_COMMANDS[name] : undefined;
  const command = (await listed?.load())?.[name];
  if (!command) throw new Error(`There is no command ${name}. npm run admin -- --help lists them.`);
  try {
    return JSON.stringify(await command.run(parseFlags(command, args), input));
  } catch (error) {
    throw error instanceof ApiError ? new Error(describe(error), { cause: error }) : error;
  }
}

function describe(error: ApiError): string {
  const lines = [`${error.code}: ${error.message}`];
  if (error.details !== undefined) lines.push(JSON.stringify(error.details));
  return lines.join("\n");
}
