import type { ConnectionUse } from "#lib/contract/connection/connection";

/** Describes which versions of a workflow use it. */
export function whereUsed({ draft, deployed }: ConnectionUse): string {
  if (draft && deployed) return "in the draft and in the published version";
  return draft ? "in the draft" : "in the published version";
}
