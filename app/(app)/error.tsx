"use client";

import { ErrorState } from "@/components/ui/error-state";
import { PageHeader } from "@/components/ui/page-header";

interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** A page that broke while it was drawn; the navigation stays. */
export default function ErrorPage({ reset }: ErrorPageProps) {
  return (
    <>
      <PageHeader title="Something broke" />
      <ErrorState title="This page could not be shown." error={null} onRetry={reset} />
    </>
  );
}
