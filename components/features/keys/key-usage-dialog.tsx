"use client";

import { KEY_USAGE_DAYS, type KeyUsageObject } from "#lib/contract/key/key-usage";
import type { KeyObject } from "#lib/contract/wire/web";
import { formatCount, formatNumber } from "#lib/support/format/format-number";
import { useOperation } from "@/components/api/operation-hooks";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { QueryView } from "@/components/ui/lists/query-view";
import { Section } from "@/components/ui/lists/section";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";
import { Table, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/lists/table";
import { Dialog } from "@/components/ui/overlays/dialog";
import { ProgressBar } from "@/components/ui/progress-bar";
import { RelativeTime } from "@/components/words/relative-time";

/** The window moves with every call. */
const REFRESH_MS = 5_000;

/** Shows how a key is used: its current rate limit window, its calls, its refusals, and its runs. */
export function KeyUsageDialog({ subject, onClose }: { subject: KeyObject; onClose: () => void }) {
  const usage = useOperation("get_key_usage", { key_id: subject.key_id }, { refetchInterval: REFRESH_MS });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="lg"
      title={subject.name}
      description={<code className="font-mono">{subject.prefix}…</code>}
      footer={
        <Button asChild>
          <Link href={`/runs?key=${subject.key_id}`}>Runs made with this key</Link>
        </Button>
      }
    >
      <QueryView query={usage} skeleton={<UsageSkeleton />} errorTitle="Couldn't load the usage of this key.">
        {(found) => (
          <div className="flex flex-col gap-6">
            <Gauge usage={found} subject={subject} />
            <Operations operations={found.operations} />
            <Refusals refusals={found.refusals} />
            <Actions actions={found.actions} keyId={subject.key_id} />
          </div>
        )}
      </QueryView>
    </Dialog>
  );
}

function Gauge({ usage, subject }: { usage: KeyUsageObject; subject: KeyObject }) {
  const { limit, used } = usage.window;
  const words =
    limit === 0
      ? `${formatCount(used, "request")}, no limit`
      : `${formatNumber(used)} of ${formatCount(limit, "request")}`;
  return (
    <Section title="Last 60 seconds">
      <p>
        {words}.{" "}
        <span className="text-text-2">
          Last used: {subject.last_used_at === null ? "never" : <RelativeTime at={subject.last_used_at} />}.
        </span>
      </p>
      {limit === 0 ? null : <ProgressBar label="Requests in the rate limit window" value={used} max={limit} isMeter />}
    </Section>
  );
}

function Operations({ operations }: { operations: KeyUsageObject["operations"] }) {
  return (
    <Section title={`Calls in the last ${formatCount(KEY_USAGE_DAYS, "day")}`}>
      {operations.length === 0 ? (
        <p className="text-text-2">No calls.</p>
      ) : (
        <Table caption="Calls by operation" isPlain>
          <TableHead>
            <TableHeader>Operation</TableHeader>
            <TableHeader>Requests</TableHeader>
            <TableHeader>Failed</TableHeader>
          </TableHead>
          <tbody>
            {operations.map(({ operation, requests, refused }) => (
              <TableRow key={operation}>
                <TableCell className="w-full max-w-0 truncate font-mono text-dense">{operation}</TableCell>
                <TableCell>{formatNumber(requests)}</TableCell>
                <TableCell>{formatNumber(refused)}</TableCell>
              </TableRow>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  );
}

const REFUSAL_WORDS: Record<number, string> = {
  401: "Expired or revoked",
  403: "Missing scope",
  429: "Too many requests",
};

function Refusals({ refusals }: { refusals: KeyUsageObject["refusals"] }) {
  return (
    <Section title="Recent refusals">
      {refusals.length === 0 ? (
        <p className="text-text-2">No 401, 403 or 429 responses in the last {formatCount(KEY_USAGE_DAYS, "day")}.</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {refusals.map(({ status, operation, requests, last_at: lastAt }) => (
            <li key={`${status} ${operation}`}>
              <span className="font-medium">{status}</span> {REFUSAL_WORDS[status]}
              {operation === "" ? null : <code className="ml-1.5 font-mono text-dense">{operation}</code>}
              <span className="text-text-2">
                {" "}
                · {formatCount(requests, "time")}, last <RelativeTime at={lastAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Actions({ actions, keyId }: { actions: KeyUsageObject["actions"]; keyId: string }) {
  if (actions.length === 0) return null;
  return (
    <Section title="Actions run with this key">
      <ul className="flex flex-wrap gap-x-5 gap-y-1">
        {actions.map(({ slug, runs }) => (
          <li key={slug}>
            <Link href={`/runs?key=${keyId}&action=${encodeURIComponent(slug)}`} className="link font-mono text-dense">
              {slug}
            </Link>{" "}
            <span className="text-text-2">{formatNumber(runs)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function UsageSkeleton() {
  return (
    <div className="flex flex-col gap-6">
      <LoadingLabel>Loading usage</LoadingLabel>
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-32 w-full" />
    </div>
  );
}
