import { findPageSession } from "#lib/api/auth/page-session";
import { AppShell } from "@/components/pages/frame/app-shell";
import { SessionProvider } from "@/components/shell/session-context";

/** Each page sends users without a session to sign in and back, because only the page knows its own address. */
export default async function SignedInLayout({ children }: { children: React.ReactNode }) {
  const session = await findPageSession();
  if (!session) return children;
  return (
    <SessionProvider session={session}>
      <AppShell>{children}</AppShell>
    </SessionProvider>
  );
}
