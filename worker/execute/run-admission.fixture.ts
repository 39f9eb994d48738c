import { type AdmissionOptions, type RunAdmission, startAdmission } from "#worker/execute/run-admission";

/** For tests: admits runs and executes them at once, without jobs in between. */
export function startDelivering(options: Omit<AdmissionOptions, "deliver">): RunAdmission {
  const admission = startAdmission({
    ...options,
    deliver: (runs) => {
      for (const run of runs) void admission.execute(run);
    },
  });
  return admission;
}
