import { z } from "zod";

const wholeNumber = z.string().regex(/^\d+$/, "must be a whole number").transform(Number);
const baseUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));
const flag = z.enum(["true", "false", "1", "0"]).transform((value) => value === "true" || value === "1");

const connectorName = z.string().regex(/^[a-z][a-z0-9_-]{0,62}$/, "must be the name of a connector");

/** A setting that is a JSON object; unset is an empty one. */
function json<Schema extends z.ZodType>(value: Schema) {
  return z
    .string()
    .default("{}")
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

const settings = z.object({
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, "must begin with postgres:// or postgresql://"),
  DATA_DIR: z.string().default(".data"),
  PORT: wholeNumber.default(3000),
  HOST: z.string().default("127.0.0.1"),
  /** Where people and agents reach the service; every link and snippet begins with it. */
  PUBLIC_BASE_URL: baseUrl.default("http://localhost:3000"),
  WEBHOOK_BASE_URL: baseUrl.optional(),
  ALLOW_SIGNUP: flag.default(false),
  /** `id:base64,id:base64`, 32 bytes each; the first encrypts, all decrypt. */
  ENCRYPTION_KEYS: z.string().min(1),
  NEXTAUTH_SECRET: z.string().min(32, "must be at least 32 characters"),
  /** 0 = no limit; unset = the contract's. */
  RUNS_PER_USER_PER_HOUR: wholeNumber.optional(),
  REQUESTS_PER_WINDOW: wholeNumber.optional(),
  RUNS_PER_MONTH: wholeNumber.optional(),
  /** Comma-separated addresses, CIDR ranges and host names that outgoing calls may reach although they are private. */
  OUTBOUND_ALLOW: z.string().default(""),
  /** JSON: by the name of a connector, another server in the place of its vendor's. */
  CONNECTOR_BASE_URLS: json(z.record(connectorName, baseUrl)),
  /** JSON: by the name of a connector, the application this installation is registered as at its vendor. */
  CONNECTOR_OAUTH_CLIENTS: json(
    z.record(connectorName, z.object({ client_id: z.string().min(1), client_secret: z.string().min(1).optional() })),
  ),
  WORKER_CONCURRENCY: wholeNumber.default(10),
  WORKERS: wholeNumber.default(1),
  RUN_RETENTION_DAYS: wholeNumber.default(30),
  METRICS_TOKEN: z.string().optional(),
  /** Where mail leaves: `smtp://user:password@host:587`, `smtps://` for TLS from the first byte. Unset: no mail. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]*$/, "must hold an address, as in: Signalbox <bot@example.com>")
    .optional(),
  /** The application this installation is registered as, for signing in by an account there. Unset: no such button. */
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  /** Another one for GitHub Enterprise. */
  GITHUB_BASE_URL: baseUrl.default("https://github.com"),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER: baseUrl.default("https://accounts.google.com"),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
});
type Setting = keyof z.infer<typeof settings>;

/** Settings that mean nothing without another one. */
const TOGETHER: readonly [Setting, Setting][] = [
  ["SMTP_URL", "MAIL_FROM"],
  ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"],
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
];
const schema = settings.superRefine((given, context) => {
  for (const [first, second] of TOGETHER) {
    if (given[first] === undefined || given[second] !== undefined) continue;
    context.addIssue({ code: "custom", path: [second], message: `must be set where ${first} is` });
  }
});
export type Env = z.infer<typeof schema>;

let parsed: Env | undefined;

/**
 * The settings of this process, checked once. This is the only reader of process.env.
 * @throws Error naming every wrong variable
 */
export function env(): Env {
  if (parsed) return parsed;
  // An empty variable means it was not set: `PORT= npm start`.
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ""));
  const result = schema.safeParse(given);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`The environment is not usable:\n${lines.join("\n")}`);
  }
  parsed = result.data;
  return parsed;
}
