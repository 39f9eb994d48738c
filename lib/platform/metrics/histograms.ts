import type { HistogramName, SampleName } from "#lib/platform/metrics/counter-families";

interface HistogramFamily {
  name: HistogramName;
  labels: readonly [string];
  /** In ascending order; the last one is Infinity. */
  boundsSeconds: readonly number[];
}

/** The observations with one label value since they were last taken. */
interface Observed {
  /** How many were at most as long as each bound. */
  counts: number[];
  sumSeconds: number;
}

interface HistogramSample {
  name: SampleName;
  labels: Record<string, string>;
  by: number;
}

const NOTHING: Observed = { counts: [], sumSeconds: 0 };

export interface Histogram {
  observe(labelValue: string, seconds: number): void;
  /** Returns what was observed since the last call, as increments of the family's counters. */
  take(): HistogramSample[];
}

/**
 * Creates a histogram of this process. Names and labels are built only when it is taken, because some are observed
 * hundreds of thousands of times in between.
 */
export function createHistogram(family: HistogramFamily): Histogram {
  const { boundsSeconds } = family;
  let observed = new Map<string, Observed>();
  return {
    observe: (labelValue, seconds) => {
      let found = observed.get(labelValue);
      if (!found) {
        found = { counts: boundsSeconds.map(() => 0), sumSeconds: 0 };
        observed.set(labelValue, found);
      }
      for (let index = 0; index < boundsSeconds.length; index += 1) {
        if (seconds <= (boundsSeconds[index] ?? 0)) found.counts[index] = (found.counts[index] ?? 0) + 1;
      }
      found.sumSeconds += seconds;
    },
    take: () => {
      const taken = observed;
      observed = new Map();
      return [...taken].flatMap(([value, found]) => samplesOf(family, value, found));
    },
  };
}

/** Returns the samples of a label value that nothing was observed for. */
export function emptySamples(family: HistogramFamily, labelValue: string): HistogramSample[] {
  return samplesOf(family, labelValue, NOTHING);
}

function samplesOf(
  { name, labels: [label], boundsSeconds }: HistogramFamily,
  value: string,
  { counts, sumSeconds }: Observed,
): HistogramSample[] {
  return [
    ...boundsSeconds.map(
      (bound, index): HistogramSample => ({
        name: `${name}_bucket`,
        labels: { [label]: value, le: bound === Infinity ? "+Inf" : String(bound) },
        by: counts[index] ?? 0,
      }),
    ),
    { name: `${name}_sum`, labels: { [label]: value }, by: sumSeconds },
    { name: `${name}_count`, labels: { [label]: value }, by: counts.at(-1) ?? 0 },
  ];
}
