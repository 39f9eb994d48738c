import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EVERYTHING, EXISTING, IMAGE, MADE, SECRETS, WITH_KEDA } from "#scripts/deploy/chart-values.fixture";
import {
  type ChartValues,
  findManifest,
  type Manifest,
  mergeValues,
  readChartFile,
  renderChart,
  useChart,
} from "#scripts/deploy/render-chart.fixture";
import { runProgram } from "#scripts/run-program";

const CASES: [string, ChartValues][] = [
  ["its defaults", MADE],
  ["a secret of the user", EXISTING],
  ["every option", EVERYTHING],
  ["KEDA", WITH_KEDA],
];

let folder: string;
beforeAll(async () => {
  // A folder inside the project, so that the compiler finds the packages.
  folder = await mkdtemp(join("node_modules", ".chart-test-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const chart = useChart();
const render = (values: ChartValues) => renderChart(chart.program(), values);

/** Returns the package that describes an object. Its modules are named after the groups and kinds of Kubernetes. */
function moduleOf({ apiVersion, kind }: Manifest): string {
  const packages: Record<string, string> = {
    "keda.sh": "@kubernetes-models/keda",
    "monitoring.coreos.com": "@kubernetes-models/prometheus-operator",
  };
  return `${packages[apiVersion.split("/")[0] ?? ""] ?? "kubernetes-models"}/${apiVersion}/${kind}`;
}

/** Returns a module that compiles only if the types of Kubernetes have all fields of the objects. */
function typedSource(manifests: readonly Manifest[]): string {
  const modules = manifests.map((manifest, index) => {
    const name = `${manifest.kind}${index}`;
    const json = JSON.stringify(manifest, null, 2);
    return `import type { I${manifest.kind} as ${name} } from "${moduleOf(manifest)}";\nexport const a${name}: ${name} = ${json};\n`;
  });
  return modules.join("\n");
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

  test("has values that its schema accepts", async () => {
    const ajv = new Ajv({ allowUnionTypes: true });
    const isValid = ajv.compile(await readChartFile("values.schema.json"));
    isValid(mergeValues(await readChartFile("values.yaml"), values));
    expect(isValid.errors).toBeNull();
  });
});

// The schemas allow unknown fields and Kubernetes ignores them, so a misspelled field would have no effect. The compiler
// reads the types of Kubernetes once for all cases.
test("the chart renders no field that Kubernetes does not know", async () => {
  const paths = await Promise.all(
    CASES.map(async ([, values], index) => {
      const path = join(folder, `case${index}.ts`);
      await writeFile(path, typedSource(await render(values)));
      return path;
    }),
  );
  const options = ["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "--module", "preserve"];
  await runProgram("node_modules/.bin/tsc", [...options, "--types", "", ...paths]);
});

test("a misspelled value is refused", async () => {
  const isValid = new Ajv({ allowUnionTypes: true }).compile(await readChartFile("values.schema.json"));
  expect(isValid({ web: { replica: 3 } })).toBe(false);
  expect(isValid({ settings: { WORKER_CONCURRENCY: 50 } })).toBe(false);
  expect(isValid({ worker: { terminationGracePeriodSeconds: 30 } })).toBe(false);
});

test("an install without the tag of an image is refused", async () => {
  await expect(render({ secrets: { values: SECRETS } })).rejects.toThrow("Set image.tag to the tag of the image");
});

test.each(Object.keys(SECRETS))("an install without a secret and without %s is refused", async (name) => {
  const values = Object.fromEntries(Object.entries(SECRETS).filter(([other]) => other !== name));
  await expect(render({ image: IMAGE, secrets: { values } })).rejects.toThrow(
    `Set secrets.existing, or secrets.values.${name}`,
  );
});

/** Returns a pod template with these fields. */
const pod = (spec: object) => ({ spec: { template: { spec } } });
const container = (fields: object) => pod({ containers: [fields] });

test("no pod has rights or a root filesystem that it can write to", async () => {
  const manifests = await render(EVERYTHING);
  const pods = manifests.filter((manifest) => JSON.stringify(manifest).includes('"containers"'));
  expect(pods.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted()).toEqual([
    "Deployment demo-signalbox-web",
    "Deployment demo-signalbox-worker",
    "Job demo-signalbox-migrate-1",
  ]);
  for (const manifest of pods) {
    expect(manifest).toMatchObject(
      pod({
        automountServiceAccountToken: false,
        volumes: [{ name: "data" }, { name: "tmp" }, { name: "database-ca", configMap: { name: "database-ca" } }],
        securityContext: { runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: "RuntimeDefault" } },
        containers: [
          {
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ["ALL"] },
            },
            volumeMounts: [{ mountPath: "/data" }, { mountPath: "/tmp" }, { mountPath: "/etc/database-ca" }],
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

test("a retry of an upgrade keeps the job of the attempt before it, and the job runs where its values say", async () => {
  const job = findManifest(await render(EVERYTHING), "Job", "demo-signalbox-migrate-1");
  expect(job).toMatchObject({ spec: { activeDeadlineSeconds: 3600, ttlSecondsAfterFinished: 86_400 } });
  expect(job).toMatchObject({ spec: { template: { metadata: { annotations: { mesh: "off" } } } } });
  expect(job).toMatchObject(pod({ nodeSelector: { pool: "web" }, tolerations: [{ operator: "Exists" }] }));
});

test("a secret of the user is used and none is made", async () => {
  const manifests = await render(EXISTING);
  expect(manifests.filter(({ kind }) => kind === "Secret")).toEqual([]);
  for (const manifest of manifests.filter(({ kind }) => kind === "Deployment" || kind === "Job")) {
    expect(manifest).toMatchObject(container({ envFrom: [{ secretRef: { name: "signalbox-secrets" } }] }));
  }
});

test("the pods restart if one of the chart's secrets changes, and keep running otherwise", async () => {
  const checksums = async (values: ChartValues) => {
    const web = findManifest(await render(values), "Deployment", "demo-signalbox-web");
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
  const web = findManifest(manifests, "Deployment", "demo-signalbox-web");
  const worker = findManifest(manifests, "Deployment", "demo-signalbox-worker");
  for (const deployment of [web, worker]) expect(deployment).toMatchObject({ spec: rolling });
  expect(web).toMatchObject(pod({ terminationGracePeriodSeconds: 30 }));
  expect(web).toMatchObject(container({ lifecycle: { preStop: { exec: { command: ["sleep", "5"] } } } }));
  // worker/main.ts drains for 35 s.
  expect(worker).toMatchObject(pod({ terminationGracePeriodSeconds: 60 }));
});

test("an autoscaler decides how many pods there are, by a metric of this release that Signalbox reports", async () => {
  const metrics = await readFile("lib/platform/metrics/gauges.ts", "utf8");
  const name = "signalbox_queue_oldest_seconds";
  expect(metrics).toContain(`name: "${name}"`);
  const external = await render(EVERYTHING);
  const autoscaler = findManifest(external, "HorizontalPodAutoscaler", "demo-signalbox-worker");
  const metric = { name, selector: { matchLabels: { job: "demo-signalbox" } } };
  expect(autoscaler).toMatchObject({
    spec: {
      scaleTargetRef: { name: "demo-signalbox-worker" },
      metrics: [{ external: { metric, target: { type: "Value", value: "10" } } }],
    },
  });
  const scaled = findManifest(await render(WITH_KEDA), "ScaledObject", "demo-signalbox-worker");
  const query = `max(${name}{job="demo-signalbox",namespace="apps"})`;
  const { behavior } = autoscaler.spec as { behavior: object };
  expect(behavior).toMatchObject({ scaleDown: { stabilizationWindowSeconds: 300 } });
  expect(scaled).toMatchObject({
    spec: {
      scaleTargetRef: { name: "demo-signalbox-worker" },
      advanced: { horizontalPodAutoscalerConfig: { behavior } },
      triggers: [{ metadata: { query } }],
    },
  });
  const other = { worker: { autoscaling: { metricName: "queue_age", metricLabels: { service: "flows" } } } };
  const renamed = findManifest(await render(mergeValues(WITH_KEDA, other)), "ScaledObject", "demo-signalbox-worker");
  expect(renamed).toMatchObject({ spec: { triggers: [{ metadata: { query: 'max(queue_age{service="flows"})' } }] } });
  for (const component of ["web", "worker"]) {
    const { spec } = findManifest(external, "Deployment", `demo-signalbox-${component}`);
    expect(spec).not.toHaveProperty("replicas");
  }
});

test("requests may use the cluster's service name as their host, unless the settings say otherwise", async () => {
  const hosts = async (values: ChartValues) => {
    const web = findManifest(await render(values), "Deployment", "demo-signalbox-web");
    return /"name":"ALLOWED_HOSTS","value":"([^"]*)"/.exec(JSON.stringify(web))?.[1];
  };
  expect(await hosts(MADE)).toBe("demo-signalbox,demo-signalbox.apps.svc,demo-signalbox.apps.svc.cluster.local");
  expect(await hosts(mergeValues(MADE, { settings: { ALLOWED_HOSTS: "flows.internal" } }))).toBe("flows.internal");
});
