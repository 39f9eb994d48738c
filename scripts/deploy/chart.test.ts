import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import {
  buildRenderer,
  type ChartValues,
  type Manifest,
  mergeValues,
  readChartFile,
  renderChart,
} from "#scripts/deploy/render-chart.fixture";
import { runProgram } from "#scripts/run-program";

const SECRETS = {
  DATABASE_URL: "postgres://db.internal/signalbox",
  ENCRYPTION_KEYS: "k1:AAAA",
  NEXTAUTH_SECRET: "a secret of 32 characters or more",
};
const MADE: ChartValues = { secrets: { values: SECRETS } };
const EXISTING: ChartValues = { secrets: { existing: "signalbox-secrets" } };
const EVERYTHING: ChartValues = mergeValues(MADE, {
  publicBaseUrl: "https://signalbox.example.com",
  imagePullSecrets: [{ name: "registry" }],
  settings: { LOG_LEVEL: "warn", TRUSTED_PROXIES: "10.0.0.0/8" },
  web: { autoscaling: { enabled: true }, nodeSelector: { pool: "web" }, tolerations: [{ operator: "Exists" }] },
  worker: { autoscaling: { enabled: true }, processes: 2 },
  ingress: { enabled: true, className: "nginx", annotations: { owner: "platform" }, tlsSecretName: "signalbox-tls" },
  networkPolicy: { enabled: true, webFrom: [{ namespaceSelector: {} }] },
  serviceMonitor: { enabled: true, labels: { release: "prometheus" } },
  prometheusRule: { enabled: true, labels: { release: "prometheus" } },
  serviceAccount: { annotations: { role: "signalbox" } },
});
const WITH_KEDA = mergeValues(EVERYTHING, { worker: { autoscaling: { source: "keda" } } });
const CASES: [string, ChartValues][] = [
  ["its defaults", MADE],
  ["a secret of the user", EXISTING],
  ["every option", EVERYTHING],
  ["KEDA", WITH_KEDA],
];

/** The first installation of Go takes a minute or two. */
const BUILD_TIMEOUT_MS = 600_000;
let folder: string;
let renderer: Awaited<ReturnType<typeof buildRenderer>>;
beforeAll(async () => {
  // A folder inside the project, so that the compiler finds the packages.
  folder = await mkdtemp(join("node_modules", ".chart-test-"));
  renderer = await buildRenderer(await mkdtemp(join(tmpdir(), "chart-renderer-")));
}, BUILD_TIMEOUT_MS);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  if ("program" in renderer) await rm(join(renderer.program, ".."), { recursive: true, force: true });
});

beforeEach(({ skip }) => {
  if ("missing" in renderer) skip(renderer.missing);
});

async function render(values: ChartValues): Promise<Manifest[]> {
  if ("missing" in renderer) throw new Error(renderer.missing);
  return await renderChart(renderer.program, values);
}

/** Returns the package that describes an object. Its modules are named after the groups and kinds of Kubernetes. */
function moduleOf({ apiVersion, kind }: Manifest): string {
  const packages: Record<string, string> = {
    "keda.sh": "@kubernetes-models/keda",
    "monitoring.coreos.com": "@kubernetes-models/prometheus-operator",
  };
  return `${packages[apiVersion.split("/")[0] ?? ""] ?? "kubernetes-models"}/${apiVersion}/${kind}`;
}

describe.each(CASES)("the chart with %s", (_, values) => {
  test("renders objects that match the Kubernetes schemas", async () => {
    const manifests = await render(values);
    expect(manifests.length).toBeGreaterThan(5);
    for (const manifest of manifests) {
      const models = (await import(moduleOf(manifest))) as Record<string, new (data: Manifest) => { validate(): void }>;
      const Model = models[manifest.kind];
      if (!Model) throw new Error(`${moduleOf(manifest)} does not export ${manifest.kind}`);
      expect(() => new Model(manifest).validate(), `${manifest.kind} ${manifest.metadata.name}`).not.toThrow();
    }
  });

  // The schemas allow unknown fields and Kubernetes ignores them, so a misspelled field would have no effect.
  test("renders no field that Kubernetes does not know", async () => {
    const manifests = await render(values);
    const source = manifests.map((manifest, index) => {
      const name = `${manifest.kind}${index}`;
      const json = JSON.stringify(manifest, null, 2);
      return `import type { I${manifest.kind} as ${name} } from "${moduleOf(manifest)}";\nexport const a${name}: ${name} = ${json};\n`;
    });
    const path = join(folder, `${manifests.length}-${values === WITH_KEDA ? "keda" : "external"}.ts`);
    await writeFile(path, source.join("\n"));
    const options = ["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "--module", "preserve"];
    await runProgram("node_modules/.bin/tsc", [...options, "--types", "", path]);
  });

  test("has values that its schema accepts", async () => {
    const ajv = new Ajv({ allowUnionTypes: true });
    const isValid = ajv.compile(await readChartFile("values.schema.json"));
    isValid(mergeValues(await readChartFile("values.yaml"), values));
    expect(isValid.errors).toBeNull();
  });
});

test("a misspelled value is refused", async () => {
  const isValid = new Ajv({ allowUnionTypes: true }).compile(await readChartFile("values.schema.json"));
  expect(isValid({ web: { replica: 3 } })).toBe(false);
  expect(isValid({ settings: { WORKER_CONCURRENCY: 50 } })).toBe(false);
  expect(isValid({ worker: { terminationGracePeriodSeconds: 30 } })).toBe(false);
});

test.each(Object.keys(SECRETS))("an install without a secret and without %s is refused", async (name) => {
  const values = Object.fromEntries(Object.entries(SECRETS).filter(([other]) => other !== name));
  await expect(render({ secrets: { values } })).rejects.toThrow(`Set secrets.existing, or secrets.values.${name}`);
});

/** Returns the only object of this kind and name. */
function find(manifests: Manifest[], kind: string, name: string): Manifest {
  const found = manifests.filter((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (!found[0] || found.length > 1) throw new Error(`${found.length} of ${kind} ${name}`);
  return found[0];
}

/** Returns a pod template with these fields. */
const pod = (spec: object) => ({ spec: { template: { spec } } });
const container = (fields: object) => pod({ containers: [fields] });

test("no pod has rights or a root filesystem that it can write to", async () => {
  const manifests = await render(EVERYTHING);
  const pods = manifests.filter((manifest) => JSON.stringify(manifest).includes('"containers"'));
  expect(pods.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted()).toEqual([
    "Deployment demo-signalbox-web",
    "Deployment demo-signalbox-worker",
    "Job demo-signalbox-migrate",
  ]);
  for (const manifest of pods) {
    expect(manifest).toMatchObject(
      pod({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: "RuntimeDefault" } },
        containers: [
          {
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ["ALL"] },
            },
            volumeMounts: [{ mountPath: "/data" }, { mountPath: "/tmp" }],
          },
        ],
      }),
    );
  }
});

test("the migrations run with a secret before an install and an upgrade", async () => {
  const hooks = (await render(MADE)).filter(({ metadata }) => metadata.annotations?.["helm.sh/hook"]);
  expect(hooks.map(({ kind, metadata }) => [kind, metadata.annotations?.["helm.sh/hook-weight"]])).toEqual([
    ["Secret", "-1"],
    ["Job", "0"],
  ]);
  for (const { metadata } of hooks) expect(metadata.annotations?.["helm.sh/hook"]).toBe("pre-install,pre-upgrade");
  expect(hooks[0]).toMatchObject({ metadata: { name: "demo-signalbox-migrate" }, stringData: SECRETS });
  expect(hooks[1]).toMatchObject(container({ envFrom: [{ secretRef: { name: "demo-signalbox-migrate" } }] }));
});

test("the user's secret is used, and the chart creates none", async () => {
  const manifests = await render(EXISTING);
  expect(manifests.filter(({ kind }) => kind === "Secret")).toEqual([]);
  for (const manifest of manifests.filter(({ kind }) => kind === "Deployment" || kind === "Job")) {
    expect(manifest).toMatchObject(container({ envFrom: [{ secretRef: { name: "signalbox-secrets" } }] }));
  }
});

test("the pods restart if one of the chart's secrets changes, and keep running otherwise", async () => {
  const checksums = async (values: ChartValues) => {
    const web = find(await render(values), "Deployment", "demo-signalbox-web");
    return /"checksum\/secret":"(\w{64})"/.exec(JSON.stringify(web))?.[1] ?? "";
  };
  const before = await checksums(MADE);
  expect(before).not.toBe("");
  expect(await checksums(MADE)).toBe(before);
  expect(await checksums(mergeValues(MADE, { secrets: { values: { METRICS_TOKEN: "token" } } }))).not.toBe(before);
});

test("a rolling update never reduces the number of pods, and gives them more time than their processes need to stop", async () => {
  const manifests = await render(MADE);
  const rolling = { strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } };
  const web = find(manifests, "Deployment", "demo-signalbox-web");
  const worker = find(manifests, "Deployment", "demo-signalbox-worker");
  for (const deployment of [web, worker]) expect(deployment).toMatchObject({ spec: rolling });
  expect(web).toMatchObject(pod({ terminationGracePeriodSeconds: 30 }));
  expect(web).toMatchObject(container({ lifecycle: { preStop: { exec: { command: ["sleep", "5"] } } } }));
  // worker/main.ts drains for 35 s.
  expect(worker).toMatchObject(pod({ terminationGracePeriodSeconds: 60 }));
});

test("an autoscaler sets the number of pods by a metric that Signalbox reports", async () => {
  const metrics = await readFile("lib/platform/metrics/gauges.ts", "utf8");
  const name = "signalbox_queue_oldest_seconds";
  expect(metrics).toContain(`name: "${name}"`);
  const external = await render(EVERYTHING);
  expect(find(external, "HorizontalPodAutoscaler", "demo-signalbox-worker")).toMatchObject({
    spec: {
      scaleTargetRef: { name: "demo-signalbox-worker" },
      metrics: [{ external: { metric: { name }, target: { type: "Value", value: "10" } } }],
    },
  });
  const scaled = find(await render(WITH_KEDA), "ScaledObject", "demo-signalbox-worker");
  expect(scaled).toMatchObject({
    spec: { scaleTargetRef: { name: "demo-signalbox-worker" }, triggers: [{ metadata: { query: `max(${name})` } }] },
  });
  for (const component of ["web", "worker"]) {
    const { spec } = find(external, "Deployment", `demo-signalbox-${component}`);
    expect(spec).not.toHaveProperty("replicas");
  }
});

test("requests may use the cluster's service name as their host, unless the settings say otherwise", async () => {
  const hosts = async (values: ChartValues) => {
    const web = find(await render(values), "Deployment", "demo-signalbox-web");
    return /"name":"ALLOWED_HOSTS","value":"([^"]*)"/.exec(JSON.stringify(web))?.[1];
  };
  expect(await hosts(MADE)).toBe("demo-signalbox,demo-signalbox.apps.svc,demo-signalbox.apps.svc.cluster.local");
  expect(await hosts(mergeValues(MADE, { settings: { ALLOWED_HOSTS: "flows.internal" } }))).toBe("flows.internal");
});

test("the alert rules are those of deploy/grafana", async () => {
  const rules = find(await render(EVERYTHING), "PrometheusRule", "demo-signalbox");
  expect(rules.metadata).toMatchObject({ labels: { release: "prometheus" } });
  expect(rules.spec).toEqual(parse(await readFile("deploy/grafana/alerts.yaml", "utf8")));
});
