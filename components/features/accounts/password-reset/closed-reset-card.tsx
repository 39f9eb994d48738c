import { AuthCard } from "@/components/features/accounts/auth-card";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

/** The link was used, was replaced by a newer one, or has expired. */
export function ClosedResetCard() {
  return (
    <AuthCard title="This link no longer works">
      <p className="mt-2 text-text-2">
        It has expired or was already used. If you asked for several links, only the one in the newest email works.
      </p>
      <Button asChild variant="primary" className="mt-5 w-full">
        <Link href="/forgot-password">Get a new link</Link>
      </Button>
    </AuthCard>
  );
}
