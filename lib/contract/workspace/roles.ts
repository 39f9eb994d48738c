/**
 * Roles of a workspace member, from the least to the most powerful. Each role includes the permissions of the roles
 * before it.
 */
export const ROLES = ["viewer", "approver", "editor", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

export function hasRole(actual: Role, required: Role): boolean {
  return ROLES.indexOf(actual) >= ROLES.indexOf(required);
}
