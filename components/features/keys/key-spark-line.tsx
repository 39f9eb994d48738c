import { formatCount } from "#lib/support/format/format-number";

const HEIGHT = 18;
const BAR = 2;
const STEP = 3;

/** Shows a bar for each of the last 24 hours, scaled to the busiest hour. The text alternative says the same. */
export function KeySparkLine({ hours }: { hours: readonly number[] }) {
  const sum = hours.reduce((total, count) => total + count, 0);
  const busiest = Math.max(...hours, 1);
  const words = `${formatCount(sum, "request")} in 24 hours`;
  const width = hours.length * STEP;
  return (
    <svg role="img" aria-label={words} width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`}>
      <title>{words}</title>
      {hours.map((count, index) => {
        const height = count === 0 ? 1 : Math.max(2, Math.round((count / busiest) * HEIGHT));
        const x = index * STEP;
        const fill = count === 0 ? "var(--border-strong)" : "var(--accent)";
        return <rect key={x} x={x} y={HEIGHT - height} width={BAR} height={height} fill={fill} />;
      })}
    </svg>
  );
}
