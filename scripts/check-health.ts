import { resolve } from "node:path";
import { listenAddress, localUrl } from "#scripts/instance/environment";
import { findInstance } from "#scripts/instance/instance";
import { isSameProcess } from "#scripts/instance/process-lock";

const TIMEOUT_MS = 4_000;
/** The supervisor's names of the regular workers, without standby and quarantine workers. */
const WORKER = /^worker \d+$/;

const problem = await findProblem(process.env);
if (problem !== null) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

/**
 * Checks the instance on DATA_DIR. A container uses it as its health check, because it may have no web server. It does
 * not check the database: replacing a container does not help if the database is unreachable.
 * @returns the problem, or null
 */
async function findProblem(env: NodeJS.ProcessEnv): Promise<string | null> {
  const dataDir = resolve(env.DATA_DIR || ".data");
  const instance = await findInstance(dataDir);
  if (instance?.state !== "running") return `The instance on ${dataDir} is ${instance?.state ?? "not running"}.`;
  const workers = instance.processes.filter(({ name }) => WORKER.test(name));
  if (workers.length > 0 && !workers.some(isSameProcess)) return "No worker process is alive.";
  const hasWeb = instance.processes.some(({ name }) => name === "web server");
  return hasWeb ? await askWebServer(localUrl(listenAddress(env.HOST), Number(env.PORT || 3000))) : null;
}

async function askWebServer(url: string): Promise<string | null> {
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return answer.ok ? null : `${url}/healthz answered ${answer.status}.`;
  } catch (error) {
    return `${url}/healthz did not answer: ${(error as Error).message}`;
  }
}
