import { formatCount, formatNumber } from "#lib/support/format/format-number";

const WIDTH = 56;
const HEIGHT = 18;
const GAP = 2;

interface SparkLineProps {
  /** Oldest first; the last is today. */
  days: readonly number[];
  countedMax: number;
}

/** Reserves the space of a spark line that is still loading, so that the table's columns don't move. */
export function NoSparkLine() {
  return <span aria-hidden className="block" style={{ width: WIDTH, height: HEIGHT }} />;
}

/** Seven bars, one per day, scaled to the busiest day. The text alternative says the same. */
export function SparkLine({ days, countedMax }: SparkLineProps) {
  const sum = days.reduce((total, count) => total + count, 0);
  const busiest = Math.max(...days, 1);
  const isCapped = days.some((count) => count >= countedMax);
  const words = `${isCapped ? `${formatNumber(sum)} or more runs` : formatCount(sum, "run")} in 7 days`;
  const width = (WIDTH - GAP * (days.length - 1)) / days.length;
  return (
    <svg role="img" aria-label={words} width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
      <title>{words}</title>
      {days.map((count, index) => {
        const height = count === 0 ? 1 : Math.max(2, Math.round((count / busiest) * HEIGHT));
        const x = index * (width + GAP);
        return (
          <rect
            key={x}
            x={x}
            y={HEIGHT - height}
            width={width}
            height={height}
            rx={1}
            fill={count === 0 ? "var(--border-strong)" : "var(--accent)"}
          />
        );
      })}
    </svg>
  );
}
