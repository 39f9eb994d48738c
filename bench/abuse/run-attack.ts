import { type AttackSize, type Fact, fact } from "#bench/abuse/attack";
import type { AttackName } from "#bench/abuse/attacks";
import { type ProbeResult, probe } from "#bench/abuse/probe";
import { type Delays, openDelays } from "#bench/abuse/read-delays";
import { startAttacker } from "#bench/abuse/start-attacker";
import type { Target } from "#bench/abuse/start-target";
import { type ProcessRecord, watchProcesses } from "#bench/abuse/watch-processes";
import { makeCallers } from "#bench/load/callers";
import { LIMITS } from "#lib/contract/limits";

export interface AttackResult {
  attack: AttackName;
  victim: ProbeResult;
  processes: ProcessRecord;
  delays: Delays;
  facts: Fact[];
  /** The answers to the attacker's calls, with their counts. */
  answers: [string, number][];
}

interface RunOptions {
  seconds: number;
  size: AttackSize;
}

/** More calls than the probe makes in a second. */
const CALLS_PER_SECOND = 8;
const WARM_UP_SECONDS = 2;
/**
 * The time that the victim's last runs may take. In the short form this is far longer than any of them takes on a busy
 * machine, and shorter than the time for which the attacker's steps hold their slots.
 */
const PATIENCE_MS: Record<AttackSize, number> = { full: 1_500, short: 20_000 };
/** Attacks one tenant from another one, and measures what the victim notices. */
export async function runAttack(
  target: Target,
  attack: AttackName,
  { seconds, size }: RunOptions,
): Promise<AttackResult> {
  const { dataDir, url, db } = target;
  const watch = watchProcesses(dataDir);
  const attacker = await startAttacker({ attack, dataDir, url, size });
  const calls = Math.ceil((seconds + WARM_UP_SECONDS) * CALLS_PER_SECOND);
  const nextHeaders = await makeCallers({ db, workspaceId: attacker.victimWorkspaceId }, calls);
  const probing = { url, db, nextHeaders, patienceMs: PATIENCE_MS[size] };
  if (size === "full") await probe(probing, WARM_UP_SECONDS);
  const readDelays = await openDelays(dataDir);
  attacker.strike();
  const victim = await probe(probing, seconds);
  const mostOvertakes = await countOvertakes(target, attacker.victimWorkspaceId, attacker.attackerWorkspaceId);
  const delays = await readDelays();
  const { facts, answers } = await attacker.stop();
  const processes = await watch.stop();
  const ofVictim = [
    fact("no process ends", processes.deaths.length === 0, processes.deaths.join() || 0),
    fact(
      "every call of the victim is answered, none refused or with 5xx",
      victim.faults.length === 0,
      summarize(victim.faults),
    ),
    fact(
      "every run of the victim succeeds while the attack lasts",
      victim.unfinished === 0,
      `${victim.unfinished} of ${victim.accepted} do not`,
    ),
    fact(
      "no run of the victim waits for more runs of the attacker than the worker has slots",
      mostOvertakes <= LIMITS.runsPerWorker,
      `at most ${mostOvertakes}`,
    ),
  ];
  return { attack, victim, processes, delays, facts: [...ofVictim, ...facts], answers };
}

function summarize(faults: readonly string[]): string {
  const [first] = faults;
  return first === undefined ? "0" : `${faults.length}, such as ${first}`;
}

/** Returns the most attacker's runs that started between the acceptance and the start of one victim's run. */
async function countOvertakes({ db }: Target, victim: string, attacker: string): Promise<number> {
  const { rows } = await db.query<{ most: number }>(
    `select coalesce(max(overtakes), 0)::int as most from runs v cross join lateral (
       select count(*) as overtakes from runs a
       where a.workspace_id = $2 and a.started_at > v.created_at
         and a.started_at < coalesce(v.started_at, clock_timestamp())) as counted
     where v.workspace_id = $1`,
    [victim, attacker],
  );
  return rows[0]?.most ?? 0;
}
