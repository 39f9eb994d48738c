import { hasRole, ROLES, type Role } from "#lib/contract/workspace/roles";

/** What each role adds to the one before it, from least to most. */
export const ROLE_WORDS: Record<Role, { label: string; about: string }> = {
  viewer: { label: "Viewer", about: "Can view workflows, actions, runs and connections, but not change them." },
  approver: { label: "Approver", about: "Can also approve and reject runs that wait for approval." },
  editor: { label: "Editor", about: "Can also edit, publish, run and cancel workflows, and create connections." },
  admin: { label: "Admin", about: "Can also manage members, API keys and settings, and view the audit log." },
  owner: { label: "Owner", about: "Can also add and remove owners. A workspace has at least one owner." },
};

/** The roles that a user can grant: none above their own. */
export function grantableRoles(own: Role): Role[] {
  return ROLES.filter((role) => hasRole(own, role));
}
