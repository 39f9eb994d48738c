import type { AdminCommand } from "#scripts/admin/admin-command";

/** Loads the commands of a file, with the use cases that they call. A command loads no other command's. */
type Load = () => Promise<Record<string, AdminCommand>>;

interface ListedCommand {
  /** The flags and an explanation, for `--help`. */
  usage: string;
  load: Load;
  /**
   * True if the command never runs in the instance: it changes what only a start reads, or it decrypts the whole
   * database, which would keep the web server from answering.
   */
  isKeptOut?: boolean;
}

const ACCOUNTS: Load = async () => (await import("#scripts/admin/account-commands")).ACCOUNT_COMMANDS;
const WORKSPACES: Load = async () => (await import("#scripts/admin/workspace-commands")).WORKSPACE_COMMANDS;
const QUEUES: Load = async () => (await import("#scripts/admin/queue-commands")).QUEUE_COMMANDS;
const KEYS: Load = async () => (await import("#scripts/admin/key-commands")).KEY_COMMANDS;
const WORKFLOWS: Load = async () => (await import("#scripts/admin/workflow-commands")).WORKFLOW_COMMANDS;
const RUNS: Load = async () => (await import("#scripts/admin/run-commands")).RUN_COMMANDS;
const ACTIONS: Load = async () => (await import("#scripts/admin/action-commands")).ACTION_COMMANDS;
const ENCRYPTION: Load = async () => (await import("#scripts/admin/encryption-commands")).ENCRYPTION_COMMANDS;

/** Every admin command, in the order of `--help`. */
export const ADMIN_COMMANDS: Record<string, ListedCommand> = {
  "create-user": {
    usage: "--email --name [--password] (without it, reads the password from stdin or asks for it)",
    load: ACCOUNTS,
  },
  "set-password": {
    usage: "--email (reads the password from stdin or asks for it; signs the user out everywhere)",
    load: ACCOUNTS,
  },
  "unlock-user": { usage: "--email (after too many failed attempts to sign in)", load: ACCOUNTS },
  "reset-sso": {
    usage: "--workspace (stops requiring single sign-on; use it when no one can sign in through the provider)",
    load: ACCOUNTS,
  },
  "turn-off-two-step": {
    usage: "--email (of a person who lost every second factor; signs the user out everywhere)",
    load: ACCOUNTS,
  },
  "create-workspace": { usage: "--slug --owner <email> [--name] [--plan]", load: WORKSPACES },
  "set-plan": { usage: "--workspace <slug> --plan free|starter|pro|business", load: WORKSPACES },
  "set-queue": { usage: "--workspace <slug> --queue <name>", load: QUEUES },
  "list-queues": { usage: "(with the runs that wait in each, and the workers that serve it)", load: QUEUES },
  "list-jobs": {
    usage: "(background work that runs, waits, or failed, with its last error, and the runs that workers execute)",
    load: QUEUES,
  },
  "create-key": {
    usage: "--workspace <slug> --name [--scopes a,b] [--action-slugs a,b] [--expires-at ISO] [--owner <email>]",
    load: KEYS,
  },
  "rotate-key": { usage: "--key-id", load: KEYS },
  "revoke-key": { usage: "--key-id", load: KEYS },
  "list-keys": { usage: "--workspace <slug> [--limit] [--cursor]", load: KEYS },
  "import-workflow": {
    usage: "--workspace <slug> --file <exported document or {name, definition}; - is stdin>",
    load: WORKFLOWS,
  },
  "export-workflow": { usage: "--workflow-id", load: WORKFLOWS },
  "deploy-workflow": {
    usage: "--workflow-id [--slug] [--approval-policy never|always] [--allow-breaking] [--note]",
    load: WORKFLOWS,
  },
  "replay-run": {
    usage: "--run-id [--mode resume|from_start|from_step] [--step-id] [--version same|latest]",
    load: RUNS,
  },
  "set-action-status": { usage: "--workspace <slug> --slug --status active|paused|archived", load: ACTIONS },
  "add-encryption-key": {
    usage: "puts a new key in front of the generated ones; the next start seals with it",
    load: ENCRYPTION,
    isKeptOut: true,
  },
  "check-encryption": {
    usage: "decrypts everything in the database with ENCRYPTION_KEYS, and changes nothing",
    load: ENCRYPTION,
    isKeptOut: true,
  },
  reseal: {
    usage: "seals everything in the database with the first of ENCRYPTION_KEYS, and names the keys that can go",
    load: ENCRYPTION,
    isKeptOut: true,
  },
  "forget-encryption-key": {
    usage: "--id (of a lost key: the instance starts without it, and what it encrypted stays unreadable)",
    load: ENCRYPTION,
    isKeptOut: true,
  },
};
