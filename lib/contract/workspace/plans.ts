/** The plans of a workspace and what each allows (contract, API keys; contract, Limits; decisions, Runs). */
export const PLANS = ["free", "starter", "pro", "business"] as const;
export type Plan = (typeof PLANS)[number];

interface PlanLimits {
  /** Requests per key in a window of 60 seconds. */
  requestsPerWindow: number;
  /** Active keys per workspace; null means unlimited. */
  activeKeys: number | null;
  /** Runs per workspace and calendar month (UTC); null means unlimited. */
  runsPerMonth: number | null;
  /**
   * How many runs a workspace may have in flight, as a multiple of the slots that are free, and its weight against other
   * workspaces (decisions, Runs: fair scheduling). 3 lets one workspace fill three of four slots.
   */
  runShare: number;
  /**
   * Bytes of drafts and published versions (decisions, Budgets). An ordinary workflow has 10 KB, so the smallest plan
   * holds 100 workflows with 60 versions each, and the disk of an instance has room for hundreds of workspaces.
   */
  storedDefinitionBytes: number;
}

const MIB = 1_048_576;

export const PLAN_LIMITS: Record<Plan, PlanLimits> = {
  free: { requestsPerWindow: 60, activeKeys: 1, runsPerMonth: 1_000, runShare: 3, storedDefinitionBytes: 64 * MIB },
  starter: {
    requestsPerWindow: 300,
    activeKeys: 3,
    runsPerMonth: 10_000,
    runShare: 4,
    storedDefinitionBytes: 256 * MIB,
  },
  pro: {
    requestsPerWindow: 1_000,
    activeKeys: 10,
    runsPerMonth: 100_000,
    runShare: 6,
    storedDefinitionBytes: 1_024 * MIB,
  },
  business: {
    requestsPerWindow: 1_000,
    activeKeys: null,
    runsPerMonth: null,
    runShare: 8,
    storedDefinitionBytes: 4_096 * MIB,
  },
};

/** contract, Limits: `free` is the default if the plan cannot be determined. */
export function limitsOfPlan(plan: string | null | undefined): PlanLimits {
  return PLAN_LIMITS[(PLANS as readonly string[]).includes(plan ?? "") ? (plan as Plan) : "free"];
}

/** The share of each plan, by its name. */
export const RUN_SHARES = Object.fromEntries(PLANS.map((plan) => [plan, PLAN_LIMITS[plan].runShare]));
