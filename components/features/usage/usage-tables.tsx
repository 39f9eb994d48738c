"use client";

import { FAILED_RUN_STATUSES } from "#lib/contract/run/run";
import type { RunUsageObject, UsageOfKey, UsageOfWorkflow } from "#lib/contract/run/run-usage";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatNumber, formatPercent } from "#lib/support/format/format-number";
import { runsHref, type UsageSpan } from "@/components/features/usage/usage-links";
import { failureRate, totalOf } from "@/components/features/usage/usage-words";
import { Link } from "@/components/ui/link";
import { FROM_SM } from "@/components/ui/lists/column-widths";
import { Section } from "@/components/ui/lists/section";
import { Table, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/lists/table";

/** Underlined: a name shares its line with a slug or a prefix, and color alone would not distinguish them. */
const LINK = "text-accent underline decoration-border-strong underline-offset-2 hover:decoration-accent";

/** The counted period; if omitted, the last thirty days. */
interface Spanned {
  span: UsageSpan | undefined;
}

/** A number with a bar behind it, so that rows are easy to compare. */
function CountBar({ count, most }: { count: number; most: number }) {
  return (
    <span className="relative inline-block w-24 sm:w-40">
      <span
        aria-hidden
        className="absolute inset-y-0 left-0 rounded-1 bg-accent-weak"
        style={{ width: `${(count / Math.max(1, most)) * 100}%` }}
      />
      <span className="relative px-1">{formatNumber(count)}</span>
    </span>
  );
}

export function WorkflowUsage({ workflows, span }: Spanned & { workflows: readonly UsageOfWorkflow[] }) {
  const most = Math.max(0, ...workflows.map(({ counts }) => totalOf(counts)));
  return (
    <Section title="By workflow">
      <Table caption="Runs by workflow" isPlain>
        <TableHead>
          <TableHeader>Workflow</TableHeader>
          <TableHeader>Runs</TableHeader>
          <TableHeader>Failed</TableHeader>
          <TableHeader className={FROM_SM}>Median</TableHeader>
          <TableHeader className={FROM_SM}>95th percentile</TableHeader>
        </TableHead>
        <tbody>
          {workflows.map(({ workflow_id: workflow, name, action_slug: slug, counts, ...times }) => (
            <TableRow key={workflow}>
              <TableCell className="w-full max-w-0 truncate">
                <Link href={runsHref({ workflow, span })} className={LINK}>
                  {name}
                </Link>
                {slug === null ? null : <span className="ml-2 font-mono text-dense text-text-3">{slug}</span>}
              </TableCell>
              <TableCell>
                <CountBar count={totalOf(counts)} most={most} />
              </TableCell>
              <TableCell>
                <Link href={runsHref({ workflow, statuses: FAILED_RUN_STATUSES, span })} className={LINK}>
                  {formatPercent(failureRate(counts))}
                </Link>
              </TableCell>
              <TableCell className={FROM_SM}>{formatDuration(times.p50_ms)}</TableCell>
              <TableCell className={FROM_SM}>{formatDuration(times.p95_ms)}</TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}

export function KeyUsage({ keys, span }: Spanned & { keys: readonly UsageOfKey[] }) {
  const most = Math.max(0, ...keys.map(({ counts }) => totalOf(counts)));
  return (
    <Section title="By key">
      {keys.length === 0 ? (
        <p className="text-text-2">No API key started a run in this period.</p>
      ) : (
        <Table caption="Runs by key" isPlain>
          <TableHead>
            <TableHeader>Key</TableHeader>
            <TableHeader>Runs</TableHeader>
            <TableHeader>Failed</TableHeader>
          </TableHead>
          <tbody>
            {keys.map(({ key_id: key, name, prefix, counts }) => (
              <TableRow key={key}>
                <TableCell className="w-full max-w-0 truncate">
                  <Link href={runsHref({ key, span })} className={LINK}>
                    {name}
                  </Link>
                  <span className="ml-2 font-mono text-dense text-text-3">{prefix}…</span>
                </TableCell>
                <TableCell>
                  <CountBar count={totalOf(counts)} most={most} />
                </TableCell>
                <TableCell>
                  <Link href={runsHref({ key, statuses: FAILED_RUN_STATUSES, span })} className={LINK}>
                    {formatPercent(failureRate(counts))}
                  </Link>
                </TableCell>
              </TableRow>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  );
}

export function ErrorUsage({ errors, span }: Spanned & { errors: RunUsageObject["errors"] }) {
  const most = Math.max(0, ...errors.map(({ runs }) => runs));
  return (
    <Section title="By error">
      {errors.length === 0 ? (
        <p className="text-text-2">No runs failed in this period.</p>
      ) : (
        <Table caption="Failed runs by error" isPlain>
          <TableHead>
            <TableHeader>Error</TableHeader>
            <TableHeader>Runs</TableHeader>
          </TableHead>
          <tbody>
            {errors.map(({ code, runs }) => (
              <TableRow key={code}>
                <TableCell className="w-full max-w-0 truncate">
                  <Link
                    href={runsHref({ statuses: FAILED_RUN_STATUSES, error: code, span })}
                    className={`${LINK} font-mono text-dense`}
                  >
                    {code}
                  </Link>
                </TableCell>
                <TableCell>
                  <CountBar count={runs} most={most} />
                </TableCell>
              </TableRow>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  );
}
