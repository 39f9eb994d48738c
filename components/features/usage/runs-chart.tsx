"use client";

import { USAGE_STATUSES, type UsageDay, type UsageStatus } from "#lib/contract/run/run-usage";
import { formatDay } from "#lib/support/format/format-moment";
import { formatCount, formatNumber } from "#lib/support/format/format-number";
import { ChartFrame, Legend } from "@/components/features/usage/chart-frame";
import { runsHref } from "@/components/features/usage/usage-links";
import { STATUS_FILLS, totalOf, usageStatusWord } from "@/components/features/usage/usage-words";
import { Link } from "@/components/ui/link";
import { Table, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/lists/table";

const HEIGHT = 100;
const SLOT = 10;
const BAR = 7;

/** Shows runs per day, stacked by final status; each bar links to the day's runs. */
export function RunsChart({ days }: { days: readonly UsageDay[] }) {
  const most = Math.max(1, ...days.map(({ counts }) => totalOf(counts)));
  const shown = USAGE_STATUSES.filter((status) => days.some(({ counts }) => counts[status] > 0));
  return (
    <ChartFrame
      title="Runs per day"
      legend={
        <Legend items={shown.map((status) => ({ label: usageStatusWord(status), fill: STATUS_FILLS[status] }))} />
      }
      top={formatNumber(most)}
      ends={endsOf(days)}
      chart={
        <svg
          aria-hidden
          viewBox={`0 0 ${days.length * SLOT} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-36 w-full"
        >
          {days.map((day, index) => (
            <Bar key={day.day} day={day} x={index * SLOT} scale={HEIGHT / most} />
          ))}
        </svg>
      }
      table={<RunsTable days={days} shown={shown} />}
    />
  );
}

export function endsOf(days: readonly UsageDay[]): [string, string] {
  const [first, last] = [days[0], days.at(-1)];
  return [first ? formatDay(first.day) : "", last ? formatDay(last.day) : ""];
}

function Bar({ day, x, scale }: { day: UsageDay; x: number; scale: number }) {
  let y = HEIGHT;
  const total = totalOf(day.counts);
  const parts = USAGE_STATUSES.filter((status) => day.counts[status] > 0).map((status) => {
    const height = day.counts[status] * scale;
    y -= height;
    return { status, y, height };
  });
  return (
    <Link href={runsHref({ span: day })} tabIndex={-1} className="group">
      <title>{`${formatDay(day.day)}: ${formatCount(total, "run")}`}</title>
      <rect x={x} y={0} width={SLOT} height={HEIGHT} className="fill-transparent group-hover:fill-sunken" />
      {parts.map(({ status, ...part }) => (
        <rect key={status} x={x + (SLOT - BAR) / 2} width={BAR} {...part} className={STATUS_FILLS[status]} />
      ))}
    </Link>
  );
}

interface RunsTableProps {
  days: readonly UsageDay[];
  shown: readonly UsageStatus[];
}

function RunsTable({ days, shown }: RunsTableProps) {
  return (
    <Table caption="Runs per day" isPlain>
      <TableHead>
        <TableHeader>Day</TableHeader>
        {shown.map((status) => (
          <TableHeader key={status}>{usageStatusWord(status)}</TableHeader>
        ))}
      </TableHead>
      <tbody>
        {days.toReversed().map((day) => (
          <TableRow key={day.day}>
            <TableCell>
              <Link href={runsHref({ span: day })} className="text-accent hover:underline">
                {formatDay(day.day)}
              </Link>
            </TableCell>
            {shown.map((status) => (
              <TableCell key={status}>
                {day.counts[status] === 0 ? (
                  0
                ) : (
                  <Link href={runsHref({ statuses: [status], span: day })} className="text-accent hover:underline">
                    {formatNumber(day.counts[status])}
                  </Link>
                )}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
