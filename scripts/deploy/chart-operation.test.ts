import { readFile } from "node:fs/promises";
import { parser } from "@prometheus-io/lezer-promql";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { connectionsOf } from "#lib/platform/db/connection-budget";
import { EVERYTHING, MADE } from "#scripts/deploy/chart-values.fixture";
import {
  type ChartValues,
  findManifest,
  mergeValues,
  renderChart,
  renderFiles,
  useChart,
} from "#scripts/deploy/render-chart.fixture";

const chart = useChart();

interface Rules {
  groups: { rules: { expr: string; labels: object; annotations: { runbook_url: string } }[] }[];
}
const rulesOf = ({ groups }: Rules) => groups.flatMap(({ rules }) => rules);

test("the alert rules are those of deploy/grafana, for the metrics of this release only", async () => {
  const manifest = findManifest(await renderChart(chart.program(), EVERYTHING), "PrometheusRule", "demo-signalbox");
  expect(manifest.metadata).toMatchObject({ labels: { release: "prometheus" } });
  const given = rulesOf(load(await readFile("deploy/grafana/alerts.yaml", "utf8")) as Rules);
  const rules = rulesOf(manifest.spec as unknown as Rules);
  const scope = 'namespace="apps",job="demo-signalbox"';
  const unscoped = rules.map((rule) => rule.expr.replaceAll(`{${scope}}`, "").replaceAll(`${scope},`, ""));
  expect(unscoped).toEqual(given.map(({ expr }) => expr));
  for (const [index, { expr, labels, annotations }] of rules.entries()) {
    expect(expr.split(scope).length, expr).toBe(expr.split(/signalbox_/).length);
    expect(parser.parse(expr).toString()).not.toContain("⚠");
    expect(labels).toEqual({ ...given[index]?.labels, namespace: "apps", job: "demo-signalbox" });
    expect(annotations.runbook_url).toBe(`https://git.example.com/main/${given[index]?.annotations.runbook_url}`);
  }
  const { metadata } = findManifest(await renderChart(chart.program(), EVERYTHING), "Service", "demo-signalbox");
  // The Prometheus operator names the job after the service.
  expect(metadata.name).toBe("demo-signalbox");
});

/** Returns what Helm shows after an install, as one line. */
async function notes(values: ChartValues): Promise<string> {
  const files = await renderFiles(chart.program(), values);
  return files["NOTES.txt"]?.replace(/\s+/g, " ") ?? "";
}

test("the notes warn about an ingress whose addresses are not trusted", async () => {
  const ingress = mergeValues(MADE, { ingress: { enabled: true } });
  expect(await notes(ingress)).toContain("WARNING: settings.TRUSTED_PROXIES is not set");
  expect(await notes(mergeValues(ingress, { settings: { TRUSTED_PROXIES: "10.0.0.0/8" } }))).not.toContain("WARNING");
  expect(await notes(MADE)).not.toContain("WARNING");
});

test("the notes name the connections that PostgreSQL must accept during a rolling update", async () => {
  const connections = async (values: ChartValues) => /up to (\d+) connections/.exec(await notes(values))?.[1];
  /** Of one pod. */
  const open = (role: "web" | "worker", { poolSize = 12, workers = 1 } = {}) => {
    const { statements, sessions } = connectionsOf({ role, workers, poolSize, hasPooler: false });
    return statements + sessions;
  };
  expect(await connections(MADE)).toBe(String(3 * open("web") + 3 * open("worker")));
  const scaled = { web: { autoscaling: { enabled: true } }, worker: { autoscaling: { enabled: true }, processes: 2 } };
  const many = 7 * open("web") + 11 * open("worker", { workers: 2 });
  expect(await connections(mergeValues(MADE, scaled))).toBe(String(many));
  const guide = await readFile("docs/guides/deploy.md", "utf8");
  expect(guide.replace(/\s+/g, " ")).toContain(`= ${await connections(MADE)} connections`);
  const largest = { web: { autoscaling: { enabled: true } }, worker: { autoscaling: { enabled: true } } };
  expect(guide).toContain(`need ${await connections(mergeValues(MADE, largest))}.`);
  const few = 3 * open("web", { poolSize: 4 }) + 3 * open("worker", { poolSize: 4 });
  expect(await connections(mergeValues(MADE, { settings: { DATABASE_POOL_SIZE: "4" } }))).toBe(String(few));
});
