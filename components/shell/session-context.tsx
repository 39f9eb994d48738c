"use client";

import { createContext, type ReactNode, useContext } from "react";
import { hasRole, type Role } from "#lib/contract/roles";
import type { SessionObject } from "#lib/contract/web";

const SessionContext = createContext<SessionObject | null>(null);

export function SessionProvider({ session, children }: { session: SessionObject; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Who is signed in, where, and where the runtime API is reached. Only inside the signed-in pages. */
export function useSession(): SessionObject {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("useSession stands outside SessionProvider.");
  return session;
}

/** Whether to offer what needs a role; the server decides again. */
export function useHasRole(required: Role): boolean {
  return hasRole(useSession().role, required);
}
