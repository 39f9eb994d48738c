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
}

export const PLAN_LIMITS: Record<Plan, PlanLimits> = {
  free: { requestsPerWindow: 60, activeKeys: 1, runsPerMonth: 1_000 },
  starter: { requestsPerWindow: 300, activeKeys: 3, runsPerMonth: 10_000 },
  pro: { requestsPerWindow: 1_000, activeKeys: 10, runsPerMonth: 100_000 },
  business: { requestsPerWindow: 1_000, activeKeys: null, runsPerMonth: null },
};

/** contract, Limits: `free` is the default if the plan cannot be determined. */
export function limitsOfPlan(plan: string | null | undefined): PlanLimits {
  return PLAN_LIMITS[(PLANS as readonly string[]).includes(plan ?? "") ? (plan as Plan) : "free"];
}
