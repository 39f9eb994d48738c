import { type ChartValues, mergeValues } from "#scripts/deploy/render-chart.fixture";

/** What every install needs. */
export const SECRETS = {
  DATABASE_URL: "postgres://db.internal/signalbox",
  ENCRYPTION_KEYS: "k1:AAAA",
  NEXTAUTH_SECRET: "a secret of 32 characters or more",
};
export const IMAGE = { tag: "3f2c1e9" };
export const MADE: ChartValues = { image: IMAGE, secrets: { values: SECRETS } };
export const EXISTING: ChartValues = { image: IMAGE, secrets: { existing: "signalbox-secrets" } };
/** Every option of the chart. */
export const EVERYTHING: ChartValues = mergeValues(MADE, {
  publicBaseUrl: "https://signalbox.example.com",
  imagePullSecrets: [{ name: "registry" }],
  settings: { LOG_LEVEL: "warn", TRUSTED_PROXIES: "10.0.0.0/8" },
  web: { autoscaling: { enabled: true }, nodeSelector: { pool: "web" }, tolerations: [{ operator: "Exists" }] },
  worker: { autoscaling: { enabled: true }, processes: 2 },
  ingress: { enabled: true, className: "nginx", annotations: { owner: "platform" }, tlsSecretName: "signalbox-tls" },
  networkPolicy: { enabled: true, webFrom: [{ namespaceSelector: {} }] },
  serviceMonitor: { enabled: true, labels: { release: "prometheus" } },
  prometheusRule: { enabled: true, labels: { release: "prometheus" }, runbookBaseUrl: "https://git.example.com/main/" },
  extraVolumes: [{ name: "database-ca", configMap: { name: "database-ca" } }],
  extraVolumeMounts: [{ name: "database-ca", mountPath: "/etc/database-ca", readOnly: true }],
  migrate: { podAnnotations: { mesh: "off" }, nodeSelector: { pool: "web" }, tolerations: [{ operator: "Exists" }] },
  serviceAccount: { annotations: { role: "signalbox" } },
});
export const WITH_KEDA = mergeValues(EVERYTHING, { worker: { autoscaling: { source: "keda" } } });
