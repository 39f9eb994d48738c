import { ADMIN_COMMANDS } from "#scripts/admin/admin-commands";
import { askInstance } from "#scripts/admin/ask-instance";
import { USER_INPUT } from "#scripts/admin/read-from-user";
import { readSettings } from "#scripts/admin/read-settings";

const COLUMN = 2 + Math.max(...Object.keys(ADMIN_COMMANDS).map((name) => name.length));
const USAGE = `npm run --silent admin -- <command> [flags]

${Object.entries(ADMIN_COMMANDS)
  .map(([name, { usage }]) => `  ${name.padEnd(COLUMN)}${usage}`)
  .join("\n")}

Prints one JSON object on stdout; errors go to stderr, with exit code 1. The database is the one DATABASE_URL names, or
that of the instance running on DATA_DIR (.data).
`;

async function run(name: string, flags: string[]): Promise<string> {
  const dataDir = readSettings();
  if (Object.hasOwn(ADMIN_COMMANDS, name) && !ADMIN_COMMANDS[name]?.isKeptOut) {
    const { DATABASE_URL: databaseUrl = "", ENCRYPTION_KEYS: encryptionKeys = "" } = process.env;
    const output = await askInstance(dataDir, { command: name, args: flags, databaseUrl, encryptionKeys }, USER_INPUT);
    if (output !== null) return output;
  }
  const { prepareEnvironment } = await import("#scripts/admin/prepare-environment");
  await prepareEnvironment(dataDir);
  // Imported late, because the use cases read the environment when they load.
  const { runAdmin } = await import("#scripts/admin/run-admin");
  const { closeDb } = await import("#lib/platform/db/pool");
  return runAdmin(name, flags).finally(closeDb);
}

const [command, ...args] = process.argv.slice(2);
if (command === undefined || command === "help" || command === "--help" || command === "-h") {
  const isAsked = command !== undefined;
  (isAsked ? process.stdout : process.stderr).write(USAGE);
  process.exitCode = isAsked ? 0 : 1;
} else {
  try {
    process.stdout.write(`${await run(command, args)}\n`);
  } catch (error) {
    process.stderr.write(`${(error as Error).message || String(error)}\n`);
    process.exitCode = 1;
  }
}
