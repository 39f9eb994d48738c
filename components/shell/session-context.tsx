"use client";

import { createContext, type ReactNode, useContext, useLayoutEffect } from "react";
import { hasRole, type Role } from "#lib/contract/roles";
import type { SessionObject } from "#lib/contract/web/web";
import { useOperation } from "@/components/api/operation-hooks";
import { showWorkspace } from "@/components/api/shown-workspace";

const SessionContext = createContext<SessionObject | null>(null);

const REREAD_MS = 60_000;

/**
 * A role can change while a page stands open, so the session is read anew: now and then, when the window is looked at
 * again, and after a refusal (query-client).
 */
export function SessionProvider({ session: initial, children }: { session: SessionObject; children: ReactNode }) {
  const { data } = useOperation("get_session", {}, { initialData: initial, refetchInterval: REREAD_MS });
  const session = data ?? initial;
  // Before any effect that asks the server for something.
  useLayoutEffect(() => showWorkspace(session.workspace), [session.workspace]);
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
