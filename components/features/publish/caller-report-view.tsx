import { KeyRound, User, Workflow } from "lucide-react";
import type { AffectedCaller, AffectedField, CallerReport } from "#lib/contract/action/publish";
import { formatCount, formatNumber, formatPercent } from "#lib/support/format/format-number";
import { Chip } from "@/components/ui/chip";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/words/relative-time";

const CALLER_ICONS = { key: KeyRound, person: User, workflow: Workflow } as const;

/**
 * Shows who calls this action and which of their calls the new contract would refuse, based on the inputs that they
 * really sent.
 */
export function CallerReportView({ report }: { report: CallerReport }) {
  const broken = report.callers.filter(isAffected).length;
  return (
    <section aria-label="Affected callers" className="flex flex-col gap-2">
      <h3 className="font-semibold">Affected callers</h3>
      <p className="text-text-2">
        {describeWhole(report, broken)} We checked the new input against the latest {report.sampled_per_caller} calls
        from each caller. A published workflow that uses this action as a step counts as a caller.
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
  return caller.fields.length > 0;
}

function describeWhole({ callers, days }: CallerReport, broken: number): string {
  if (callers.length === 0) {
    return `No one called this action in the last ${formatCount(days, "day")}, and no published workflow uses it as a step.`;
  }
  const which = `in the last ${formatCount(days, "day")}`;
  const { length } = callers;
  if (length === 1) return `The only caller ${which} ${broken === 0 ? "isn't affected" : "breaks"}.`;
  if (broken === 0) return `None of the ${length} callers ${which} break.`;
  if (broken === length) return `All ${length} callers ${which} break.`;
  return `${broken} of the ${length} callers ${which} ${broken === 1 ? "breaks" : "break"}.`;
}

function CallerRow({ caller }: { caller: AffectedCaller }) {
  const { kind, id, name, prefix, calls, has_more: hasMore, last_call_at: lastCallAt } = caller;
  const Icon = CALLER_ICONS[kind];
  return (
    <li className="px-3 py-2">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Icon aria-hidden className="size-3.5 text-text-3" strokeWidth={1.75} />
        {kind === "workflow" ? (
          <Link href={`/workflows/${id}`} target="_blank" className="link font-medium [overflow-wrap:anywhere]">
            {name}
          </Link>
        ) : (
          <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
        )}
        {prefix === null ? null : <code className="font-mono text-dense text-text-2">{prefix}</code>}
        <span className="text-dense text-text-3">
          {lastCallAt === null ? (
            "published workflow that uses it as a step"
          ) : (
            <>
              {hasMore ? `${formatNumber(calls)} or more calls` : formatCount(calls, "call")}, most recently{" "}
              <RelativeTime at={lastCallAt} />
            </>
          )}
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
            <Evidence item={item} caller={caller} />
          </li>
        ))}
      </ul>
    </li>
  );
}

/** Links to the evidence: the newest run that would have been refused, or the published step. */
function Evidence({ item, caller }: { item: AffectedField; caller: AffectedCaller }) {
  if (item.run_id === null) {
    return (
      <>
        in its step{" "}
        <Link href={`/workflows/${caller.id}?node=${item.step?.id ?? ""}`} target="_blank" className="link">
          {item.step?.name}
        </Link>
      </>
    );
  }
  return (
    <>
      in {item.calls} of {caller.sampled} calls,{" "}
      <Link href={`/runs/${item.run_id}`} target="_blank" className="link">
        the newest
        <span className="sr-only"> with {item.field}</span>
      </Link>
    </>
  );
}

function Verdict({ caller: { refused, ignored, sampled, fields } }: { caller: AffectedCaller }) {
  if (refused > 0) return <Chip tone="err">{share(refused, sampled)} refused</Chip>;
  if (ignored > 0) return <Chip tone="warn">{share(ignored, sampled)} partly ignored</Chip>;
  if (fields.some(({ effect }) => effect === "refused")) return <Chip tone="err">Refused</Chip>;
  if (fields.length > 0) return <Chip tone="warn">Partly ignored</Chip>;
  return <Chip tone="ok">Not affected</Chip>;
}

function share(part: number, whole: number): string {
  return part === whole ? "All calls" : `${formatPercent(part / whole)} of calls`;
}
