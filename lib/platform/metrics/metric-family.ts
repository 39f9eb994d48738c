/** What is known of a metric before anything is measured. */
export interface MetricDescription {
  name: string;
  type: "gauge" | "counter" | "histogram";
  help: string;
  /** The names of its labels. A histogram's buckets have `le` in addition. */
  labels: readonly string[];
}

/** One family of Prometheus' text format. */
export interface MetricFamily extends MetricDescription {
  /** Sample names may add a suffix to the family's: `_bucket`, `_sum`, `_count`. */
  samples: MetricSample[];
}

export interface MetricSample {
  name: string;
  labels: Record<string, string>;
  value: number;
}
