import { AuthCard } from "@/components/features/accounts/auth-card";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

/** The link was used, has expired, or never was an invite. */
export function SignUpClosed({ hasInvite, isSignedIn }: { hasInvite: boolean; isSignedIn: boolean }) {
  return (
    <AuthCard title={hasInvite ? "This invite no longer works" : "You need an invite"}>
      <p className="mt-2 text-text-2">
        {hasInvite
          ? "It has expired or was already used. Ask the person who sent it for a new one."
          : "Ask a workspace admin or the operator of this instance for an invite link."}
      </p>
      <Button asChild variant="primary" className="mt-5 w-full">
        {isSignedIn ? <Link href="/workflows">Go to workflows</Link> : <Link href="/sign-in">Sign in instead</Link>}
      </Button>
    </AuthCard>
  );
}
