import { prepareEnvironment } from "#scripts/admin/prepare-environment";

const USAGE = `npm run --silent admin -- <command> [flags]

  create-user        --email --name [--password] (without it, reads the password from stdin or asks for it)
  set-password       --email (reads the password from stdin or asks for it; signs the user out everywhere)
  unlock-user        --email (after too many failed attempts to sign in)
  reset-sso          --workspace (stops requiring single sign-on; use it when no one can sign in through the provider)
  turn-off-two-step  --email (of a person who lost every second factor; signs the user out everywhere)
  create-workspace   --slug --owner <email> [--name] [--plan]
  set-plan           --workspace <slug> --plan free|starter|pro|business
  set-queue          --workspace <slug> --queue <name>
  list-queues        (with the runs that wait in each, and the workers that serve it)
  list-jobs          (background work that runs, waits, or failed, with its last error, and the runs that workers execute)
  create-key         --workspace <slug> --name [--scopes a,b] [--action-slugs a,b] [--expires-at ISO] [--owner <email>]
  rotate-key         --key-id
  revoke-key         --key-id
  list-keys          --workspace <slug> [--limit] [--cursor]
  import-workflow    --workspace <slug> --file <exported document or {name, definition}; - is stdin>
  export-workflow    --workflow-id
  deploy-workflow    --workflow-id [--slug] [--approval-policy never|always] [--allow-breaking] [--note]
  replay-run         --run-id [--mode resume|from_start|from_step] [--step-id] [--version same|latest]
  set-action-status  --workspace <slug> --slug --status active|paused|archived
  add-encryption-key puts a new key in front of the generated ones; the next start seals with it
  check-encryption   decrypts everything in the database with ENCRYPTION_KEYS, and changes nothing
  reseal             seals everything in the database with the first of ENCRYPTION_KEYS, and names the keys that can go
  forget-encryption-key --id (of a lost key: the instance starts without it, and what it encrypted stays unreadable)

Prints one JSON object on stdout; errors go to stderr, with exit code 1. The database is the one DATABASE_URL names, or
that of the instance running on DATA_DIR (.data).
`;

const [command, ...args] = process.argv.slice(2);
if (command === undefined || command === "help" || command === "--help" || command === "-h") {
  const isAsked = command !== undefined;
  (isAsked ? process.stdout : process.stderr).write(USAGE);
  process.exitCode = isAsked ? 0 : 1;
} else {
  try {
    await prepareEnvironment();
    // Imported late, because the use cases read the environment when they load.
    const { runAdmin } = await import("#scripts/admin/run-admin");
    const { closeDb } = await import("#lib/platform/db/pool");
    const output = await runAdmin(command, args).finally(closeDb);
    process.stdout.write(`${output}\n`);
  } catch (error) {
    process.stderr.write(`${(error as Error).message || String(error)}\n`);
    process.exitCode = 1;
  }
}
