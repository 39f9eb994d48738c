import { cookies } from "next/headers";
import { findWorkspaceSession } from "#lib/api/auth/page-session";
import { AppShell } from "@/components/pages/frame/app-shell";
import { NAV_COOKIE, navStateOf } from "@/components/shell/nav-state";
import { SessionProvider } from "@/components/shell/session-context";

/** Each page sends users who may not open it to the page that helps, and back: only the page knows its own address. */
export default async function SignedInLayout({ children }: { children: React.ReactNode }) {
  const session = await findWorkspaceSession();
  if (!session) return children;
  const nav = navStateOf((await cookies()).get(NAV_COOKIE)?.value);
  return (
    <SessionProvider session={session}>
      <AppShell nav={nav}>{children}</AppShell>
    </SessionProvider>
  );
}
