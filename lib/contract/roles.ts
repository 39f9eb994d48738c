/** Roles of a workspace member, least first. A role includes everything the roles before it may do. */
export const ROLES = ["viewer", "approver", "editor", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

export function hasRole(actual: Role, required: Role): boolean {
  return ROLES.indexOf(actual) >= ROLES.indexOf(required);
}
