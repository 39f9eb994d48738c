import { readFileSync } from "node:fs";
import { parser } from "@prometheus-io/lezer-promql";
import GithubSlugger from "github-slugger";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { METRICS } from "#lib/platform/metrics/read-metrics";

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
}

interface Panel {
  type: string;
  title: string;
  description?: string;
  datasource?: { uid: string };
  targets?: { expr: string; legendFormat: string }[];
}

const rules = (
  load(readFileSync("deploy/grafana/alerts.yaml", "utf8")) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(readFileSync("deploy/grafana/dashboard.json", "utf8")) as { panels: Panel[] };
const charts = panels.filter(({ type }) => type !== "row");
const guide = readFileSync("docs/guides/monitor.md", "utf8");

/** Prometheus adds them to what it reads. */
const TARGET_LABELS = ["namespace", "job"];

/** The labels of every name that /metrics can show. */
const LABELS = new Map(
  METRICS.flatMap(({ name, type, labels }): [string, readonly string[]][] =>
    type === "histogram"
      ? [
          [`${name}_bucket`, [...labels, "le"]],
          [`${name}_sum`, labels],
          [`${name}_count`, labels],
        ]
      : [[name, labels]],
  ),
);

interface Read {
  /** What is wrong with it. */
  faults: string[];
  /** The metrics that it reads. */
  names: string[];
  /** The labels that it groups by. */
  grouped: string[];
}

/** Parses an expression with Prometheus' own grammar, and compares its names and labels with the metrics. */
function readExpression(source: string): Read {
  const text = source.replaceAll("$__rate_interval", "5m");
  const read: Read = { faults: [], names: [], grouped: [] };
  // The labels of the aggregations around a place, innermost last.
  const around: { to: number; labels: string[] }[] = [];
  const known = (name: string, label: string) => {
    if (TARGET_LABELS.includes(label)) return;
    if (LABELS.get(name)?.includes(label) === false) read.faults.push(`${name} has no label ${label}`);
  };
  parser.parse(text).iterate({
    enter: ({ type, node, from, to }) => {
      if (type.isError) read.faults.push(`syntax, at "${text.slice(from)}"`);
      while ((around.at(-1)?.to ?? to) < to) around.pop();
      const namesIn = (parent: typeof node, child: string) =>
        parent.getChildren(child).map((label) => text.slice(label.from, label.to));
      if (type.name === "AggregateExpr") {
        const grouping = node.getChild("AggregateModifier")?.getChild("GroupingLabels");
        const labels = grouping ? namesIn(grouping, "LabelName") : [];
        around.push({ to, labels });
        read.grouped.push(...labels);
      }
      if (type.name === "VectorSelector") {
        const [name = ""] = namesIn(node, "Identifier");
        read.names.push(name);
        if (!LABELS.has(name)) read.faults.push(`there is no metric ${name}`);
        const matchers = node.getChild("LabelMatchers")?.getChildren("UnquotedLabelMatcher") ?? [];
        for (const label of matchers.flatMap((matcher) => namesIn(matcher, "LabelName"))) known(name, label);
        for (const label of around.flatMap(({ labels }) => labels)) known(name, label);
      }
    },
  });
  return read;
}

describe("an expression", () => {
  test.each([
    ["sum by (status) (rate(signalbox_runs_finished_total[5m])", "syntax"],
    ["max(signalbox_worker)", "there is no metric signalbox_worker"],
    ["sum by (queue) (signalbox_workers)", "signalbox_workers has no label queue"],
    ['signalbox_runs_open{state="x"}', "signalbox_runs_open has no label state"],
    [
      "max by (le) (rate(signalbox_run_duration_seconds_sum[5m]))",
      "signalbox_run_duration_seconds_sum has no label le",
    ],
    ["rate(signalbox_run_duration_seconds[5m])", "there is no metric signalbox_run_duration_seconds"],
  ])("%s is refused by the checks below", (expression, fault) => {
    expect(readExpression(expression).faults[0]).toMatch(fault);
  });
});

describe.each(charts.map((panel) => [panel.title, panel] as const))("the panel %s", (_, panel) => {
  test("reads metrics that exist, by their labels, from the data source that the user chooses", () => {
    expect(panel.datasource?.uid).toMatch(/^\$\{datasource\}$/);
    expect(panel.description).toMatch(/\.$/);
    expect(panel.targets?.length).toBeGreaterThan(0);
    for (const { expr, legendFormat } of panel.targets ?? []) {
      const { faults, names, grouped } = readExpression(expr);
      expect(faults, expr).toEqual([]);
      expect(names).not.toEqual([]);
      // Of one instance: the user chooses it.
      expect(expr.split('{namespace=~"$namespace",job=~"$job"').length - 1, expr).toBe(names.length);
      for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(grouped).toContain(label);
    }
  });
});

// Prometheus 3 stores the bound 1 as 1.0.
test.each(rules.map((rule) => [rule.alert, rule] as const))(
  "the alert %s finds whole bounds in Prometheus 3",
  (_, rule) => {
    expect(rule.expr).not.toMatch(/le="\d+"/);
  },
);

describe.each(rules.map((rule) => [rule.alert, rule] as const))("the alert %s", (name, rule) => {
  test("reads metrics that exist, and says what to do", () => {
    const { faults, names, grouped } = readExpression(rule.expr);
    expect(faults, rule.expr).toEqual([]);
    expect(names).not.toEqual([]);
    const { summary, description, runbook_url: url } = rule.annotations;
    for (const [, label = ""] of `${summary}${description}`.matchAll(/\$labels\.(\w+)/g))
      expect(grouped).toContain(label);
    expect(description).toMatch(/\.$/);
    expect(["critical", "warning"]).toContain(rule.labels.severity);
    expect(url).toBe(`docs/guides/monitor.md#${new GithubSlugger().slug(name)}`);
    expect(guide).toContain(`\n### ${name}\n`);
  });
});

test("every metric is in the guide, and the guide names no other", () => {
  const named = new Set([...guide.matchAll(/^\| `(signalbox_\w+)` \|/gm)].map(([, name]) => name));
  expect([...named].toSorted()).toEqual(METRICS.map(({ name }) => name).toSorted());
});

test("every metric is in a panel or an alert", () => {
  const expressions = [...charts.flatMap(({ targets = [] }) => targets), ...rules].map(({ expr }) => expr).join("\n");
  const unused = METRICS.filter(({ name }) => !expressions.includes(name)).map(({ name }) => name);
  // Each of these says the same as one that is shown.
  expect(unused).toEqual(["signalbox_runs_recent", "signalbox_queue_jobs", "signalbox_queue_oldest_seconds"]);
});
