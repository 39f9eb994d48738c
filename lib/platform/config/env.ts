import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";
import { parseDatabaseUrl } from "#lib/platform/config/database-address";
import { parseNetworkList } from "#lib/platform/config/network-list";
import { oidcProvidersSchema } from "#lib/platform/config/oidc-provider-setting";

/** The name of a queue that runs wait in. Every workspace is in one; workers can serve some of them only. */
export const queueNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, "must be a queue name: up to 32 lowercase letters, digits and hyphens");

/**
 * What a start runs: everything, only the web server, only workers, or nothing after the migrations. On several
 * machines each has one of them.
 */
export const PROCESS_ROLES = ["all", "web", "worker", "migrate"] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

/** A running step may take its whole limit, which leaves time to release the runs. */
export const DEFAULT_DRAIN_SECONDS = LIMITS.stepTimeoutMs / 1_000 + 5;

const wholeNumber = z
  .string()
  .regex(/^\d+$/, "must be a whole number")
  .transform(Number)
  .refine(Number.isSafeInteger, "is too large");
const positive = wholeNumber.refine((value) => value > 0, "must be above 0");
const fraction = z
  .string()
  .regex(/^\d+(\.\d+)?(e-?\d+)?$/i, "must be a number")
  .transform(Number)
  .pipe(z.number().min(0).max(1));
const baseUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));
const flag = z.enum(["true", "false", "1", "0"]).transform((value) => value === "true" || value === "1");

/** Unset is null: all queues. */
const queueNames = z
  .string()
  .transform((text) => text.split(",").flatMap((name) => name.trim() || []))
  .pipe(z.array(queueNameSchema).min(1))
  .nullable();

const connectorName = z.string().regex(/^[a-z][a-z0-9_-]{0,62}$/, "must be the name of a connector");

/** A setting in JSON; unset is an empty object. */
function json<Schema extends z.ZodType>(value: Schema, unset = "{}") {
  return z
    .string()
    .default(unset)
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: "custom", message: "must be JSON" });
        return z.NEVER;
      }
    })
    .pipe(value);
}

const hostName = z.string().regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i, "must be a host name without a port");
const hostNames = z
  .string()
  .default("")
  .transform((text) => text.split(",").flatMap((name) => name.trim() || []))
  .pipe(z.array(hostName));

const databaseUrl = z.string().superRefine((url, context) => {
  try {
    parseDatabaseUrl(url);
  } catch (error) {
    context.addIssue({ code: "custom", message: (error as Error).message });
  }
});

const traceparentHosts = z
  .string()
  .regex(/^(\*|none|(\*\.)?[a-z0-9.-]+(,\s*(\*\.)?[a-z0-9.-]+)*)$/i, "must be `*`, `none` or host names");

const networks = z
  .string()
  .default("")
  .transform((text, context) => {
    try {
      return parseNetworkList(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as Error).message });
      return z.NEVER;
    }
  });

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** The settings by topic. The descriptions are the table of docs/reference/configuration.md. */
export const SETTING_GROUPS = {
  Processes: z.object({
    ROLE: z
      .enum(PROCESS_ROLES)
      .default("all")
      .describe(
        "What `npm start` runs on this machine: `all`, `web`, `worker`, or `migrate`, which applies the migrations and ends. The options `--web`, `--worker` and `--migrate` set it, too.",
      ),
  }),
  "Web server": z.object({
    PORT: wholeNumber
      .default(3000)
      .describe("Port of the web server. If it is taken, `npm start` takes the next free one."),
    WEB_DRAIN_SECONDS: wholeNumber
      .default(0)
      .describe(
        "Seconds that the web server continues to answer after SIGTERM, while `/readyz` is 503. Set it to the time that your load balancer needs to notice.",
      ),
    HOST: z.string().default("127.0.0.1").describe("Address that the web server listens on."),
    PUBLIC_BASE_URL: baseUrl
      .default("http://localhost:3000")
      .describe(
        "Where people and agents reach Signalbox: the start of every link and snippet. With https, cookies are `Secure`.",
      ),
    WEBHOOK_BASE_URL: baseUrl
      .optional()
      .describe("The start of webhook addresses, if another host receives webhooks. Defaults to `PUBLIC_BASE_URL`."),
    ALLOWED_HOSTS: hostNames.describe(
      "Further host names that requests may name, separated by commas. Those of the two addresses above and of this machine (`localhost`, `127.0.0.1`) always work; any other is refused.",
    ),
    TRUSTED_PROXIES: networks.describe(
      "Addresses and CIDR ranges of your reverse proxies, separated by commas. Only they can report a client's address in `X-Forwarded-For`.",
    ),
  }),
  "Data and secrets": z.object({
    DATA_DIR: z
      .string()
      .default(".data")
      .describe("Folder of the instance: embedded database, logs and `secrets.json`."),
    DATABASE_URL: databaseUrl.describe(
      "PostgreSQL 15 or newer, or a transaction pooler in front of it. Without it, `npm start` uses an embedded one.",
    ),
    DATABASE_URL_DIRECT: databaseUrl
      .optional()
      .describe(
        "PostgreSQL without the pooler, if `DATABASE_URL` is a transaction pooler: for notifications, heartbeats and migrations.",
      ),
    DATABASE_POOL_SIZE: wholeNumber
      .pipe(z.number().min(2, "must be at least 2"))
      .default(12)
      .describe("Connections that a process opens for its statements, at most. A worker has two such pools."),
    ENCRYPTION_KEYS: z
      .string()
      .min(1)
      .describe("`id:base64,id:base64`, 32 bytes each. The first encrypts, all decrypt. `npm start` generates one."),
    NEXTAUTH_SECRET: z
      .string()
      .min(32, "must be at least 32 characters")
      .describe("Signs sessions, at least 32 characters. `npm start` generates one."),
    RUN_RETENTION_DAYS: wholeNumber
      .default(30)
      .describe("Days that an ended run is kept. A workspace can choose its own number. 0 keeps runs."),
    AUDIT_RETENTION_DAYS: wholeNumber
      .default(0)
      .describe("Days that the audit log is kept at least. Whole months are deleted. 0 keeps it."),
  }),
  "Accounts and sign-in": z.object({
    ALLOW_SIGNUP: flag
      .default(false)
      .describe(
        "`true` lets anyone create an account. Otherwise the first account owns the instance, and others need an invite.",
      ),
    GITHUB_CLIENT_ID: z
      .string()
      .optional()
      .describe("OAuth app at GitHub. Callback address: `PUBLIC_BASE_URL/api/auth/callback/github`."),
    GITHUB_CLIENT_SECRET: z.string().optional().describe("Secret of the OAuth app."),
    GITHUB_BASE_URL: baseUrl.default("https://github.com").describe("Address of a GitHub Enterprise Server."),
    GOOGLE_CLIENT_ID: z
      .string()
      .optional()
      .describe("OAuth client at Google. Redirect address: `PUBLIC_BASE_URL/api/auth/callback/google`."),
    GOOGLE_CLIENT_SECRET: z.string().optional().describe("Secret of the OAuth client."),
    GOOGLE_ISSUER: baseUrl.default("https://accounts.google.com").describe("Another OpenID Connect issuer."),
    OIDC_PROVIDERS: json(oidcProvidersSchema, "[]").describe(
      "JSON array: OpenID Connect providers that people sign in with, as [Set up single sign-on](../guides/single-sign-on.md) shows. Redirect address of each: `PUBLIC_BASE_URL/api/auth/callback/<name>`.",
    ),
  }),
  Limits: z.object({
    RUNS_PER_USER_PER_HOUR: wholeNumber
      .optional()
      .describe(`Runs per user in a sliding hour. Defaults to ${LIMITS.runsPerUserPerHour}. 0 is no limit.`),
    REQUESTS_PER_WINDOW: wholeNumber
      .optional()
      .describe("Requests per key in a window, for every plan. Defaults to the number of the plan. 0 is no limit."),
    RUNS_PER_MONTH: wholeNumber
      .optional()
      .describe(
        "Runs per workspace in a calendar month, for every plan. Defaults to the number of the plan. 0 is no limit.",
      ),
    WEBHOOK_REQUESTS_PER_MINUTE: wholeNumber
      .optional()
      .describe(
        `Deliveries per minute that each web process accepts for one webhook address. Deliveries that are not verified have the same limit per address and source. Bursts of twice the limit are allowed. Defaults to ${LIMITS.webhookRequestsPerMinute}. 0 means no limit.`,
      ),
  }),
  "Outgoing calls": z.object({
    OUTBOUND_ALLOW: z
      .string()
      .default("")
      .describe("Private addresses, CIDR ranges and host names that outgoing calls may reach, separated by commas."),
    TRACEPARENT_HOSTS: traceparentHosts
      .default("*")
      .describe(
        "Hosts that get the header `traceparent`, separated by commas: `*` for all, `*.example.com` for a domain, or `none`. The header contains the id of the caller's trace, or of the run.",
      ),
    CONNECTOR_BASE_URLS: json(z.record(connectorName, baseUrl)).describe(
      "JSON object: by the name of a connector, a server that replaces the service's own. Paths are kept.",
    ),
    CONNECTOR_OAUTH_CLIENTS: json(
      z.record(connectorName, z.object({ client_id: z.string().min(1), client_secret: z.string().min(1).optional() })),
    ).describe(
      "JSON object: by the name of a connector, `client_id` and `client_secret` of your OAuth app. Redirect address: `PUBLIC_BASE_URL/api/oauth/callback`.",
    ),
  }),
  Workers: z.object({
    WORKERS: wholeNumber.default(1).describe("Worker processes that `npm start` runs."),
    WORKER_CONCURRENCY: wholeNumber
      .default(LIMITS.runsPerWorker)
      .describe("Runs that one worker executes at once, at most. Most of them wait for a response."),
    WORKER_QUEUES: queueNames
      .default(null)
      .describe(
        "The queues whose runs the workers take, such as `default,heavy`. Unset, they take the runs of all queues. `set-queue` assigns a workspace to a queue.",
      ),
    WORKER_DRAIN_SECONDS: wholeNumber
      .default(DEFAULT_DRAIN_SECONDS)
      .describe("Seconds that a worker has on SIGTERM to finish its running steps. Then it releases their runs."),
  }),
  Email: z.object({
    SMTP_URL: z
      .url({ protocol: /^smtps?$/ })
      .optional()
      .describe("Mail server: `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte."),
    MAIL_FROM: z
      .string()
      .regex(/^[^\r\n]*@[^\r\n]*$/, "must hold an address, as in: Signalbox <bot@example.com>")
      .optional()
      .describe("Sender of emails: `Signalbox <bot@example.com>`. Required with `SMTP_URL`."),
  }),
  "Logs and metrics": z.object({
    LOG_LEVEL: z
      .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
      .default("info")
      .describe("`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`."),
    LOG_TO: z
      .enum(["files", "stdout"])
      .default("files")
      .describe("Where `npm start` writes the logs of its processes: `files` in `DATA_DIR/logs`, or `stdout`."),
    METRICS_TOKEN: z
      .string()
      .optional()
      .describe(
        "Bearer token for `/metrics`. Required if `PUBLIC_BASE_URL` is not a loopback address. Otherwise, programs on the same machine do not need the token if they connect without a proxy.",
      ),
  }),
  /** The standard settings that the product reads, with their standard meanings. */
  OpenTelemetry: z.object({
    OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl
      .optional()
      .describe(
        "Address of a collector for traces and metrics over OTLP: `http://collector:4318`. Without it, nothing is exported. The exporter also reads the other standard variables, such as `OTEL_EXPORTER_OTLP_HEADERS`.",
      ),
    OTEL_EXPORTER_OTLP_PROTOCOL: z
      .literal("http/protobuf", "must be http/protobuf, the only protocol that Signalbox supports")
      .default("http/protobuf")
      .describe("Protocol of the exports."),
    OTEL_SERVICE_NAME: z
      .string()
      .default("signalbox")
      .describe("Name of the service in traces and metrics. `OTEL_RESOURCE_ATTRIBUTES` adds other attributes."),
    OTEL_TRACES_SAMPLER: z
      .enum(SAMPLERS)
      .default("parentbased_always_on")
      .describe(`Which traces are recorded: ${SAMPLERS.map((name) => `\`${name}\``).join(", ")}.`),
    OTEL_TRACES_SAMPLER_ARG: fraction
      .default(1)
      .describe("Part of the traces that the samplers with `ratio` record: 0.1 is every tenth."),
    OTEL_BSP_SCHEDULE_DELAY: wholeNumber.default(5_000).describe("Milliseconds between two exports of spans."),
    OTEL_BSP_MAX_QUEUE_SIZE: positive
      .default(8_192)
      .describe("Spans that wait for an export, at most. Further spans of requests and calls are dropped."),
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: positive
      .default(512)
      .describe("Spans in one export, at most. The smallest size is a 24th of `OTEL_BSP_MAX_QUEUE_SIZE`."),
    OTEL_METRICS_EXPORTER: z
      .enum(["otlp", "none"])
      .default("otlp")
      .describe("Whether the web processes export the metrics of `/metrics` over OTLP, too: `otlp` or `none`."),
    OTEL_METRIC_EXPORT_INTERVAL: positive.default(60_000).describe("Milliseconds between two exports of metrics."),
    OTEL_METRIC_EXPORT_TIMEOUT: positive
      .default(30_000)
      .describe("Milliseconds that one export of metrics may take. The interval is the upper limit."),
  }),
};

const settings = z.object({
  ...SETTING_GROUPS.Processes.shape,
  ...SETTING_GROUPS["Web server"].shape,
  ...SETTING_GROUPS["Data and secrets"].shape,
  ...SETTING_GROUPS["Accounts and sign-in"].shape,
  ...SETTING_GROUPS.Limits.shape,
  ...SETTING_GROUPS["Outgoing calls"].shape,
  ...SETTING_GROUPS.Workers.shape,
  ...SETTING_GROUPS.Email.shape,
  ...SETTING_GROUPS["Logs and metrics"].shape,
  ...SETTING_GROUPS.OpenTelemetry.shape,
});
type Setting = keyof z.infer<typeof settings>;

/** The names of all settings. */
export const SETTING_NAMES = Object.values(SETTING_GROUPS).flatMap(({ shape }) => Object.keys(shape));

/** Settings that have no effect without another one. */
const TOGETHER: readonly [Setting, Setting][] = [
  ["SMTP_URL", "MAIL_FROM"],
  ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"],
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
];
const schema = settings.superRefine((given, context) => {
  for (const [first, second] of TOGETHER) {
    if (given[first] === undefined || given[second] !== undefined) continue;
    context.addIssue({ code: "custom", path: [second], message: `must be set if ${first} is set` });
  }
});
export type Env = z.infer<typeof schema>;

let parsed: Env | undefined;

/**
 * Returns the settings of this process, checked once. This is the only reader of process.env.
 * @throws Error naming every invalid variable
 */
export function env(): Env {
  if (parsed) return parsed;
  // An empty variable counts as not set: `PORT= npm start`.
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ""));
  const result = schema.safeParse(given);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`The environment is not usable:\n${lines.join("\n")}`);
  }
  parsed = result.data;
  return parsed;
}
