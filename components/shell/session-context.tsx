"use client";

import { createContext, type ReactNode, useContext, useLayoutEffect } from "react";
import type { SessionObject } from "#lib/contract/wire/web";
import { hasRole, type Role } from "#lib/contract/workspace/roles";
import { useOperation } from "@/components/api/operation-hooks";
import { showWorkspace } from "@/components/api/shown-workspace";

const SessionContext = createContext<SessionObject | null>(null);

const REREAD_MS = 60_000;

/**
 * Provides the session and reads it again because a role can change while a page is open: at intervals, when the window
 * gets the focus, and after a refusal (query-client).
 */
export function SessionProvider({ session: initial, children }: { session: SessionObject; children: ReactNode }) {
  const { data } = useOperation("get_session", {}, { initialData: initial, refetchInterval: REREAD_MS });
  const session = data ?? initial;
  // Runs before any effect that calls the server.
  useLayoutEffect(() => showWorkspace(session.workspace), [session.workspace]);
  return <SessionContext value={session}>{children}</SessionContext>;
}

/**
 * Returns the signed-in user, the workspace and the address of the runtime API. Works only inside the signed-in pages.
 */
export function useSession(): SessionObject {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("useSession was called outside SessionProvider.");
  return session;
}

/** Returns whether to offer what needs a role; the server checks again. */
export function useHasRole(required: Role): boolean {
  return hasRole(useSession().role, required);
}
