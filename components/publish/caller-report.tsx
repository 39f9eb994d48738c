import { KeyRound, User } from "lucide-react";
import Link from "next/link";
import type { AffectedCaller, CallerReport as Report } from "#lib/contract/publish";
import { Chip } from "@/components/ui/chip";
import { RelativeTime } from "@/components/ui/relative-time";

/** Who calls this action, and what of their calls the new contract would refuse: read from what they really sent. */
export function CallerReport({ report }: { report: Report }) {
  const broken = report.callers.filter(isAffected).length;
  return (
    <section aria-label="Who breaks" className="flex flex-col gap-2">
      <h3 className="font-semibold">Who breaks</h3>
      <p className="text-text-2">
        {describeWhole(report, broken)} The newest {report.sampled_per_caller} calls of each were checked against the
        new input.
      </p>
      {report.callers.length === 0 ? null : (
        <ul className="divide-y divide-border rounded-3 border border-border">
          {report.callers.map((caller) => (
            <CallerRow key={`${caller.kind} ${caller.id}`} caller={caller} />
          ))}
        </ul>
      )}
    </section>
  );
}

export function isAffected(caller: AffectedCaller): boolean {
  return caller.refused + caller.ignored > 0;
}

function describeWhole({ callers, days }: Report, broken: number): string {
  if (callers.length === 0) return `Nobody called this action in the last ${days} days.`;
  const called = callers.length === 1 ? "One caller" : `${callers.length} callers`;
  return `${called} in the last ${days} days; ${describeBroken(callers.length, broken)}.`;
}

function describeBroken(callers: number, broken: number): string {
  if (broken === 0) return "no calls break";
  if (broken === callers) return callers === 1 ? "its calls break" : "the calls of all of them break";
  return broken === 1 ? "the calls of one of them break" : `the calls of ${broken} of them break`;
}

function CallerRow({ caller }: { caller: AffectedCaller }) {
  const { kind, name, prefix, calls, has_more: hasMore, last_call_at: lastCallAt } = caller;
  const Icon = kind === "key" ? KeyRound : User;
  return (
    <li className="px-3 py-2">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Icon aria-hidden className="size-3.5 text-text-3" strokeWidth={1.75} />
        <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
        {prefix === null ? null : <code className="font-mono text-dense text-text-2">{prefix}</code>}
        <span className="text-dense text-text-3">
          {calls}
          {hasMore ? " or more" : ""} {calls === 1 ? "call" : "calls"}, the last <RelativeTime at={lastCallAt} />
        </span>
        <span className="ml-auto">
          <Verdict caller={caller} />
        </span>
      </p>
      <ul className="mt-1 ml-5.5 flex flex-col gap-0.5">
        {caller.fields.map((item) => (
          <li key={`${item.effect} ${item.field}`} className="text-dense text-text-2 [overflow-wrap:anywhere]">
            {item.message}
            {item.effect === "ignored" ? ", " : ": "}
            in {item.calls} of {caller.sampled} calls,{" "}
            <Link href={`/runs/${item.run_id}`} target="_blank" className="link">
              the newest
              <span className="sr-only"> with {item.field}</span>
            </Link>
          </li>
        ))}
      </ul>
    </li>
  );
}

function Verdict({ caller: { refused, ignored, sampled } }: { caller: AffectedCaller }) {
  if (refused > 0) return <Chip tone="err">{share(refused, sampled)} refused</Chip>;
  if (ignored > 0) return <Chip tone="warn">{share(ignored, sampled)} partly ignored</Chip>;
  return <Chip tone="ok">Not affected</Chip>;
}

function share(part: number, whole: number): string {
  return part === whole ? "All calls" : `${Math.max(1, Math.round((part / whole) * 100))}% of calls`;
}
