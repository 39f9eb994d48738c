/** Workspace plans and what each allows (contract, API keys; contract, Limits; decisions, Runs). */
export const PLANS = ["free", "starter", "pro", "business"] as const;
export type Plan = (typeof PLANS)[number];

interface PlanLimits {
  /** Requests per 60-second window and key. */
  requestsPerWindow: number;
  /** Active keys per workspace; null is unlimited. */
  activeKeys: number | null;
  /** Runs per calendar month (UTC) and workspace; null is unlimited. */
  runsPerMonth: number | null;
}

export const PLAN_LIMITS: Record<Plan, PlanLimits> = {
  free: { requestsPerWindow: 60, activeKeys: 1, runsPerMonth: 1_000 },
  starter: { requestsPerWindow: 300, activeKeys: 3, runsPerMonth: 10_000 },
  pro: { requestsPerWindow: 1_000, activeKeys: 10, runsPerMonth: 100_000 },
  business: { requestsPerWindow: 1_000, activeKeys: null, runsPerMonth: null },
};

/** contract, Limits: `free` is the default when the plan cannot be determined. */
export function limitsOfPlan(plan: string | null | undefined): PlanLimits {
  return PLAN_LIMITS[(PLANS as readonly string[]).includes(plan ?? "") ? (plan as Plan) : "free"];
}
