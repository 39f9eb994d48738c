import { ClientError } from "@/components/api/client-error";

/** What to do about a refusal whose own words only say what it is; null where they say enough. */
export function refusalAdvice(error: Error): string | null {
  if (!(error instanceof ClientError)) return null;
  switch (error.code) {
    case "RATE_LIMIT_EXCEEDED":
      return error.message.startsWith("Run limit exceeded")
        ? "Runs of the last 60 minutes count, in all your workspaces. Try again when some of them are older."
        : null;
    case "QUOTA_EXCEEDED":
      return "The count begins anew on the first of the month (UTC). Settings shows the plan and what is used.";
    default:
      return null;
  }
}
