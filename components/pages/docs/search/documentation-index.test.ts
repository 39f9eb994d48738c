import { describe, expect, test } from "vitest";
import { listPassages } from "#lib/api/documentation/list-passages";
import { buildDocumentationIndex, searchDocumentation } from "@/components/pages/docs/search/documentation-index";

const index = buildDocumentationIndex(await listPassages());

/** What newcomers type, and the heading that answers it. */
const QUESTIONS = {
  "rotate a key": "/docs/guides/secure#rotate-an-api-key",
  "verify a webhook": "/docs/guides/webhooks#verify-a-webhook-signature",
  "run behind a proxy": "/docs/guides/operate#run-behind-a-reverse-proxy",
  "add a step kind": "/docs/extending#add-a-step-kind",
  "restore a backup": "/docs/guides/back-up-and-restore#restore-a-backup",
  "how do I reset a password": "/docs/guides/secure#reset-a-password",
  "sign in with google": "/docs/guides/secure#sign-in-with-github-or-google",
  "invite a colleague": "/docs/guides/secure#invite-a-member",
  "call an action from python": "/docs/guides/call-from-an-agent#call-an-action-from-python",
  "connect claude code": "/docs/guides/call-from-an-agent#connect-an-agent-over-mcp",
  "idempotency key": "/docs/guides/call-from-an-agent#retry-with-an-idempotency-key",
  "prometheus metrics": "/docs/guides/monitor#collect-metrics",
  "change the encryption key": "/docs/guides/operate#rotate-the-encryption-key",
  "use my own postgres": "/docs/guides/operate#use-your-own-postgresql",
  "allow private network": "/docs/guides/secure#allow-calls-to-a-private-network",
  "replay a failed run": "/docs/guides/debug-and-replay#replay-a-run",
  "cron expression": "/docs/guides/schedules#run-a-workflow-on-a-cron-schedule",
  "daylight saving": "/docs/guides/schedules#daylight-saving-time",
  "rate limit headers": "/docs/reference/limits#rate-limit-headers",
  "error codes": "/docs/reference/errors",
  SMTP_URL: "/docs/reference/configuration#email",
  "regular expression in a condition": "/docs/reference/expressions#conditions",
  "add a connector": "/docs/extending#add-a-connector",
} as const;

describe("the search", () => {
  test.each(Object.entries(QUESTIONS))("leads from %s to %s", (question, href) => {
    const found = searchDocumentation(index, question).flatMap(({ hits }) => hits);
    expect(found.slice(0, 3).map((hit) => hit.href)).toContain(href);
  });

  test("groups results by page, the page with the best result first", () => {
    const groups = searchDocumentation(index, "limits");
    expect(groups.length).toBeGreaterThan(1);
    expect(new Set(groups.map(({ page }) => page)).size).toBe(groups.length);
  });

  test("finds a word by its first letters, in another form, and with a typo", () => {
    for (const query of ["idempot", "schedules", "schedule", "schedle", "aproval"]) {
      expect(searchDocumentation(index, query), query).not.toEqual([]);
    }
  });

  test("shows the text around the first word that was found", () => {
    const text = `${"filler ".repeat(40)}the needle is here ${"filler ".repeat(40)}`;
    const own = buildDocumentationIndex([{ href: "/docs/a", page: "A", heading: "B", text }]);
    const [group] = searchDocumentation(own, "needle");
    expect(group?.hits[0]?.excerpt).toMatch(/^… .*the needle is here .*…$/);
  });

  test.each(["", "   ", "a the", "qqqqzzzz"])("finds nothing for %j", (query) => {
    expect(searchDocumentation(index, query)).toEqual([]);
  });
});
