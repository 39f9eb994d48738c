import { MACHINE_REASONS, type RunErrorReason } from "#lib/contract/error/error-reasons";
import type { StepError } from "#lib/contract/run/step-error";
import { isBreakerFailure } from "#lib/core/engine/circuit-breaker";
import type { StepContext } from "#lib/core/engine/plan";
import type { BreakerPass, Destination } from "#lib/core/engine/ports";

interface Entered {
  destination: Destination;
  pass: BreakerPass;
}

/** The circuit breakers that one attempt of a step passes: one, or one for each origin that redirects lead to. */
export interface DestinationGuard {
  /** @throws StepError UPSTREAM_ERROR if the breaker of the destination refuses the call */
  enter(origin: string | null): Promise<void>;
  /** Reports a failure to the destination that the call reached last; the others answered. */
  leave(error: StepError | null): Promise<void>;
}

export function guardDestinations(
  called: Omit<Destination, "origin">,
  {
    services: { breaker },
    previousError,
  }: Pick<StepContext, "previousError"> & {
    services: Pick<StepContext["services"], "breaker">;
  },
): DestinationGuard {
  const entered = new Map<string | null, Entered>();
  let last: Entered | null = null;
  return {
    enter: async (origin) => {
      // A refusal is no failure of the destination before it.
      last = null;
      const destination = { ...called, origin };
      last = entered.get(origin) ?? { destination, pass: await breaker.admit(destination) };
      entered.set(origin, last);
    },
    leave: async (error) => {
      for (const one of entered.values()) {
        const counts = one === last && error !== null && isCounted(error, one.pass);
        await breaker.report(one.destination, one.pass, counts ? error : null);
      }
    },
  };

  /** The attempts of one step count once. A probe decides, whatever was before it. */
  function isCounted(error: StepError, { isProbe }: BreakerPass): boolean {
    return isFailure(error) && (isProbe || previousError === null || !isFailure(previousError));
  }
}

/** What happened here and not at the service: it was not called, or its answer could not be checked. */
const OURS: ReadonlySet<string | undefined> = new Set<RunErrorReason>([
  ...MACHINE_REASONS,
  "circuit_open",
  "sandbox_busy",
  "code_time_limit",
]);

function isFailure({ code, reason }: Pick<StepError, "code"> & { reason?: string | undefined }): boolean {
  return isBreakerFailure(code) && !OURS.has(reason);
}
