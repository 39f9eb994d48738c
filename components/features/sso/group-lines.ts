import { ROLES } from "#lib/contract/roles";
import type { GroupRole } from "#lib/contract/web/sso";

/** The roles that a group can give. */
export const GRANTED_ROLES = ROLES.filter((role) => role !== "owner");

/** Returns the groups and their roles as text, one to a line. */
export function groupLinesOf(groups: readonly GroupRole[]): string {
  return groups.map(({ group, role }) => `${group} = ${role}`).join("\n");
}

/** Reads lines such as `Support team = viewer`. Returns the number of the first line that has no role. */
export function readGroupLines(text: string): { groups: GroupRole[]; faultyLine: number | null } {
  const groups: GroupRole[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const at = line.lastIndexOf("=");
    const group = line.slice(0, at).trim();
    const written = line
      .slice(at + 1)
      .trim()
      .toLowerCase();
    const role = GRANTED_ROLES.find((known) => known === written);
    if (at < 0 || group === "" || role === undefined) return { groups, faultyLine: index + 1 };
    groups.push({ group, role });
  }
  return { groups, faultyLine: null };
}
