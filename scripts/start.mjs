// The entry point of every `npm run` command. It runs before anything is installed, on any Node that the machine has,
// so it uses only Node's built-ins and nothing newer than Node 18. It starts the command on the project's own Node.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const COMMANDS = [
  "start",
  "dev",
  "admin",
  "test",
  "bench",
  "faults",
  "abuse",
  "check-openapi",
  "vendor-facts",
  "deploy-check",
  "package",
];
/** The oldest Node with sufficient TypeScript support and standard library (package.json, engines). */
const OLDEST_NODE = [22, 19];

await main(process.argv.slice(2));

async function main([command, ...args]) {
  if (!COMMANDS.includes(command)) fail(`Usage: node scripts/start.mjs <${COMMANDS.join("|")}> [options]`);
  // npm sets INIT_CWD to the user's current folder. File arguments are relative to it.
  process.env.INIT_CWD ??= process.cwd();
  process.chdir(ROOT);
  // The compile cache of an earlier process halves the startup time of later processes. It is deleted with the
  // packages.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, "node_modules", ".cache", "signalbox-compiled");
  if (!isInstalled()) await install();
  await run(findNode(), join(ROOT, "scripts", `${command}.ts`), args);
}

/**
 * Returns true if node_modules matches the lockfile exactly. npm records what it installed, and writes that record
 * last.
 */
function isInstalled() {
  const wanted = readPackages("package-lock.json");
  const present = readPackages(join("node_modules", ".package-lock.json"));
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    // Optional packages may be for other platforms.
    if (!present[path]) return entry.optional === true;
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

async function install() {
  const logFile = join(resolve(process.env.DATA_DIR || ".data"), "logs", "install.log");
  // Other users may have to reach files in this folder (PostgreSQL runs as its own user), but not to list them.
  mkdirSync(dirname(logFile), { recursive: true, mode: 0o711 });
  const log = openSync(logFile, "w");
  const started = Date.now();
  const done = announce("Installing packages");
  // The project's own Node may be the running one, and npm is about to replace its folder.
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.startsWith(ROOT + sep));
  const npm = spawn("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], {
    stdio: ["ignore", log, log],
    env: { ...process.env, PATH: path.join(delimiter) },
  });
  const code = await new Promise((resolveExit) => {
    npm.on("error", (error) => resolveExit(error.message));
    npm.on("exit", (exitCode, signal) => resolveExit(exitCode ?? signal));
  });
  done(code === 0 ? `${((Date.now() - started) / 1000).toFixed(0)} s` : "failed");
  if (code === 0) return;
  const tail = readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-20).join("\n");
  fail(`${tail}\n\nnpm ci failed (${code}). The whole log: ${logFile}`);
}

/**
 * Returns the project's own Node. Returns the running Node if that one is missing and the running one is new enough.
 */
function findNode() {
  const own = join(ROOT, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
  if (isSame(own, process.execPath)) return process.execPath;
  if (!isUsable(own) && existsSync(join(ROOT, "node_modules", "node"))) {
    // npm is configured to skip install scripts, and this package does not work without its own.
    const done = announce("Fetching the project's Node");
    spawnSync(process.execPath, ["installArchSpecificPackage.js"], { cwd: join(ROOT, "node_modules", "node") });
    done(isUsable(own) ? "done" : "failed");
  }
  if (isUsable(own)) return own;
  if (isRecent(process.versions.node)) return process.execPath;
  return fail(
    `This project needs Node ${OLDEST_NODE.join(".")} or newer and could not fetch its own; this is Node ${process.versions.node}.\n` +
      "Install a newer Node (https://nodejs.org) and start again.",
  );
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
