// The entry point of every `npm run` command. It runs before anything is installed, on any Node that the machine has,
// so it uses only Node's built-ins and nothing newer than Node 18. It starts the command on the project's own Node.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** Each command, and the packages that it needs: `run` for those of the product, `develop` for all of them. */
const COMMANDS = {
  start: "run",
  admin: "run",
  dev: "develop",
  test: "develop",
  bench: "develop",
  faults: "develop",
  abuse: "develop",
  "check-openapi": "develop",
  "vendor-facts": "develop",
  "deploy-check": "develop",
  package: "run",
};
/** Has a lockfile of its own, so that only machines whose Node is too old install it. */
const NODE_FOLDER = join(ROOT, "scripts", "node");
/** The oldest Node with sufficient TypeScript support and standard library (package.json, engines). */
const OLDEST_NODE = [22, 19];

await main(process.argv.slice(2));

async function main([command, ...args]) {
  if (!Object.hasOwn(COMMANDS, command)) {
    fail(`Usage: node scripts/start.mjs <${Object.keys(COMMANDS).join("|")}> [options]`);
  }
  // npm sets INIT_CWD to the user's current folder. File arguments are relative to it.
  process.env.INIT_CWD ??= process.cwd();
  process.chdir(ROOT);
  // The compile cache of an earlier process halves the startup time of later processes. It is deleted with the
  // packages.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, "node_modules", ".cache", "signalbox-compiled");
  await install(COMMANDS[command]);
  await run(findNode(), join(ROOT, "scripts", `${command}.ts`), args);
}

/** Installs what is missing: packages, and a Node that is new enough. Both at once, because each waits for the network. */
async function install(scope) {
  const wanted = readPackages("package-lock.json");
  const present = readPackages(join("node_modules", ".package-lock.json"));
  const work = [];
  if (!isInstalled(wanted, present, scope)) work.push(npmArguments(wanted, present, scope));
  if (!isRecent(process.versions.node) && !isUsable(ownNode())) work.push(["ci", "--prefix", NODE_FOLDER]);
  if (work.length === 0) return;
  const logFile = join(resolve(process.env.DATA_DIR || ".data"), "logs", "install.log");
  // Other users may have to reach files in this folder (PostgreSQL runs as its own user), but not to list them.
  mkdirSync(dirname(logFile), { recursive: true, mode: 0o711 });
  const log = openSync(logFile, "w");
  const started = Date.now();
  const isAdding = scope === "develop" && isInstalled(wanted, present, "run");
  const done = announce(isAdding ? "Adding the packages for development" : "Installing packages");
  const codes = await Promise.all(work.map((words) => npm(words, log)));
  const code = codes.find((one) => one !== 0);
  done(code === undefined ? `${((Date.now() - started) / 1000).toFixed(0)} s` : "failed");
  if (code === undefined) return;
  const tail = readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-20).join("\n");
  fail(`${tail}\n\nnpm failed (${code}). The whole log: ${logFile}`);
}

/**
 * Returns true if node_modules has what the scope needs, in the lockfile's versions. npm records what it installed, and
 * writes that record last.
 */
function isInstalled(wanted, present, scope) {
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "" || (scope === "run" && entry.dev)) return true;
    // Optional packages may be for other platforms.
    if (!present[path]) return entry.optional === true || entry.devOptional === true;
    const isSameFile = entry.integrity === undefined || present[path].integrity === entry.integrity;
    return isSameFile && present[path].version === entry.version;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(ROOT, file), "utf8")).packages;
  } catch {
    return null;
  }
}

/** Packages for development are added to the others, which a running instance may use. Once there, they stay. */
function npmArguments(wanted, present, scope) {
  if (isInstalled(wanted, present, "run")) return ["install", "--include=dev", "--no-save"];
  const hasDevelopment = present !== null && Object.keys(present).some((path) => wanted?.[path]?.dev);
  return ["ci", scope === "develop" || hasDevelopment ? "--include=dev" : "--omit=dev"];
}

/** @returns npm's exit code or signal, or why it could not be started. 0 if all went well */
async function npm(words, log) {
  // The project's own Node may be the running one, and npm is about to replace its folder.
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.startsWith(ROOT + sep));
  const child = spawn("npm", [...words, "--no-audit", "--no-fund"], {
    stdio: ["ignore", log, log],
    env: { ...process.env, PATH: path.join(delimiter) },
  });
  return await new Promise((resolveExit) => {
    child.on("error", (error) => resolveExit(error.message));
    child.on("exit", (code, signal) => resolveExit(code ?? signal));
  });
}

/** Returns the running Node, or the project's own if the running one is too old. */
function findNode() {
  if (isRecent(process.versions.node)) return process.execPath;
  if (!isUsable(ownNode()) && existsSync(join(NODE_FOLDER, "node_modules", "node"))) {
    // npm is configured to skip install scripts, and this package does not work without its own.
    const done = announce("Fetching the project's Node");
    const folder = join(NODE_FOLDER, "node_modules", "node");
    spawnSync(process.execPath, ["installArchSpecificPackage.js"], { cwd: folder });
    done(isUsable(ownNode()) ? "done" : "failed");
  }
  if (isUsable(ownNode())) return ownNode();
  return fail(
    `This project needs Node ${OLDEST_NODE.join(".")} or newer and could not fetch its own; this is Node ${process.versions.node}.\n` +
      "Install a newer Node (https://nodejs.org) and start again.",
  );
}

function ownNode() {
  return join(NODE_FOLDER, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
}

function isSame(left, right) {
  try {
    return realpathSync(left) === realpathSync(right);
  } catch {
    return false;
  }
}

function isUsable(binary) {
  if (!existsSync(binary)) return false;
  const { stdout } = spawnSync(binary, ["--version"], { encoding: "utf8" });
  return isRecent(String(stdout).trim().replace(/^v/, ""));
}

function isRecent(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

/**
 * Continues with the command: in this process if it already runs on the right Node, or else in a child process.
 * LAUNCHED_BY names the process that the command ends with: npm, or this process. Without it, a `kill -9` of either
 * would leave the real launcher running, and the launcher would keep the instance.
 */
async function run(node, file, args) {
  const npm = process.env.npm_lifecycle_event === undefined ? null : findNpm();
  // Tools that look up "node" by name must find the same Node.
  process.env.PATH = [dirname(node), process.env.PATH].join(delimiter);
  if (isSame(node, process.execPath)) {
    if (npm !== null) process.env.LAUNCHED_BY = String(npm);
    process.argv = [process.argv[0], file, ...args];
    await import(pathToFileURL(file).href);
    return;
  }
  const child = spawn(node, [file, ...args], {
    stdio: "inherit",
    env: { ...process.env, LAUNCHED_BY: String(process.pid) },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  if (npm !== null) setInterval(() => isGone(npm) && child.kill("SIGTERM"), 300).unref();
  child.on("error", (error) => fail(error.message));
  child.on("exit", (code, signal) => {
    if (code !== null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Returns the npm that runs us: our parent, or the parent of the shell between npm and us. */
function findNpm() {
  const parent = describeProcess(process.ppid);
  return parent && /(^|\/)-?(ba|da|a|k|z)?sh$/.test(parent.name) ? parent.ppid : process.ppid;
}

/** Returns true if the process has ended, even if its parent has not read its exit code yet. */
function isGone(pid) {
  return describeProcess(pid)?.state.startsWith("Z") ?? true;
}

/** Returns null if there is no such process. Reads /proc on Linux, because slim containers have no `ps`. */
function describeProcess(pid) {
  if (process.platform !== "linux") {
    const { stdout } = spawnSync("ps", ["-o", "stat=,ppid=,comm=", "-p", String(pid)], { encoding: "utf8" });
    const [state, ppid, ...name] = String(stdout).trim().split(/\s+/);
    return state ? { state, ppid: Number(ppid), name: name.join(" ") } : null;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, ppid] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state, ppid: Number(ppid), name: stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")")) };
  } catch {
    return null;
  }
}

/** Writes one line of progress to stderr, like scripts/progress.ts. stdout belongs to the command. */
function announce(label) {
  process.stderr.write(`  ${label} ... `);
  return (result) => process.stderr.write(`${result}\n`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
