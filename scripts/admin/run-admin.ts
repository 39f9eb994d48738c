import { ApiError } from "#lib/contract/error/api-error";
import { parseFlags } from "#scripts/admin/admin-command";
import { INSTANCE_COMMANDS } from "#scripts/admin/instance-commands";
import { KEY_COMMANDS } from "#scripts/admin/key-commands";
import { RUN_COMMANDS } from "#scripts/admin/run-commands";
import { WORKFLOW_COMMANDS } from "#scripts/admin/workflow-commands";
import { WORKSPACE_COMMANDS } from "#scripts/admin/workspace-commands";

const COMMANDS = {
  ...WORKSPACE_COMMANDS,
  ...KEY_COMMANDS,
  ...WORKFLOW_COMMANDS,
  ...RUN_COMMANDS,
  ...INSTANCE_COMMANDS,
};

/**
 * Runs one admin command.
 * @returns the JSON text for stdout
 * @throws Error with a message for people
 */
export async function runAdmin(name: string, args: string[]): Promise<string> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new Error(`There is no command ${name}. npm run admin -- --help lists them.`);
  try {
    return JSON.stringify(await command.run(parseFlags(command, args)));
  } catch (error) {
    throw error instanceof ApiError ? new Error(describe(error), { cause: error }) : error;
  }
}

function describe(error: ApiError): string {
  const lines = [`${error.code}: ${error.message}`];
  if (error.details !== undefined) lines.push(JSON.stringify(error.details));
  return lines.join("\n");
}
