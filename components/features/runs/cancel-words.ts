import type { RunObject } from "#lib/contract/run/run";

/** Returns who cancelled a run, as the start of a sentence: "Ann cancelled the run". */
export function cancelWords({ cancelled_by: by }: Pick<RunObject, "cancelled_by">): string {
  if (by?.name == null) return "The run was cancelled";
  return by.type === "api_key" ? `The API key ${by.name} cancelled the run` : `${by.name} cancelled the run`;
}
