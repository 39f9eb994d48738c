import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";
import { TRIGGER_KINDS, WEBHOOK_METHODS, WEBHOOK_RESPONSES, WEBHOOK_SCHEMES } from "#lib/contract/trigger/trigger";
import { customVerification, deliveryIdRule } from "#lib/contract/webhooks/verification";
import { isTimeZone } from "#lib/contract/workspace/time-zone";
import { REDACTED } from "#lib/core/redaction/redact-text";
import { label } from "#lib/core/steps/step-settings";
import { formConfig } from "#lib/core/steps/trigger/form/form-config";

/** Prefix of a secret in a stored definition. The secret is encrypted and only its workspace can decrypt it. */
export const SEALED_PREFIX = "sealed:";

/** The secret of an imported webhook until someone sets one. It proves no request, and prevents publishing. */
export const MISSING_SECRET = REDACTED;

const WAIT_MESSAGE = `must be a whole number from 1 to ${LIMITS.waitSecondsMax}`;

/** decisions, Inbound webhooks: what every webhook has. */
const WEBHOOK = {
  kind: z.literal("webhook"),
  // A blank secret would look like protection but check nothing.
  secret: z
    .string()
    .refine(
      // Encryption makes the text longer. The limit is for the secret itself.
      (secret) => secret.startsWith(SEALED_PREFIX) || secret.length <= LIMITS.webhookSecretCharacters,
      `must be at most ${LIMITS.webhookSecretCharacters} characters long`,
    )
    .refine((secret) => secret.trim() !== "", "must not be blank; leave it out to accept unsigned requests")
    .nullish(),
  header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/, "must be a header name: letters, digits and hyphens, up to 100")
    .nullish(),
  algorithm: z.enum(["sha1", "sha256", "sha512"]).default("sha256"),
  encoding: z.enum(["hex", "base64"]).default("hex"),
  /** What makes a delivery a repetition of another one, instead of what its sender's row says. */
  delivery_id: deliveryIdRule.nullish(),
  tolerance_seconds: z.int("must be a whole number").min(1, "must be at least 1").max(86_400).default(300),
  /** POST if left out. The body of a GET request is the object of its query. */
  methods: z
    .array(z.enum(WEBHOOK_METHODS, `must be some of ${WEBHOOK_METHODS.join(", ")}`))
    .min(1, "must name at least one method")
    .nullish(),
  /** "accepted" if left out: 202 as soon as the run is stored. "result" waits for the output of the run. */
  respond: z.enum(WEBHOOK_RESPONSES, `must be one of ${WEBHOOK_RESPONSES.join(", ")}`).nullish(),
  wait_seconds: z
    .int(WAIT_MESSAGE)
    .min(1, WAIT_MESSAGE)
    .max(LIMITS.waitSecondsMax, WAIT_MESSAGE)
    .describe("With respond: result, how long the sender waits before it gets 202.")
    .nullish(),
};

/** Described by its type alone: the whole of it would be most of the catalog that agents read. */
const describedVerification = z
  .looseObject({
    type: z.enum(["hmac", "public_key", "token", "jwt"], "must be hmac, public_key, token or jwt"),
  })
  .pipe(customVerification);

/** decisions, Inbound webhooks: a sender that Signalbox knows, and one that the trigger describes. */
const webhook = z.discriminatedUnion(
  "scheme",
  [
    z.object({ ...WEBHOOK, scheme: z.enum(WEBHOOK_SCHEMES).exclude(["custom"]).optional().default("auto") }),
    z.object({ ...WEBHOOK, scheme: z.literal("custom"), verification: describedVerification }),
  ],
  `must be one of ${WEBHOOK_SCHEMES.join(", ")}`,
);

const SECONDS_MESSAGE = `must be a whole number from ${LIMITS.intervalSecondsMin} to ${LIMITS.intervalSecondsMax}`;

/** contract, Triggers: schedule, mode interval. */
const interval = z.object({
  kind: z.literal("schedule"),
  mode: z.literal("interval"),
  seconds: z
    .int(SECONDS_MESSAGE)
    .min(LIMITS.intervalSecondsMin, SECONDS_MESSAGE)
    .max(LIMITS.intervalSecondsMax, SECONDS_MESSAGE),
});

/** contract, Triggers: schedule, mode cron. Activation checks whether the expression ever fires. */
const cron = z.object({
  kind: z.literal("schedule"),
  mode: z.literal("cron"),
  expression: z
    .string()
    .max(200, "must be at most 200 characters long")
    .regex(/^\s*\S+(?:\s+\S+){4}\s*$/, "must have five fields: minute, hour, day of month, month, day of week"),
  timezone: z
    .string()
    .max(64, "must be at most 64 characters long")
    .refine(isTimeZone, "must be an IANA time zone, such as Europe/Berlin")
    .default("UTC"),
});

const name = z.string().min(1, "is required").max(200, "must be at most 200 characters long");

/** contract, Triggers. */
const connector = z.object({
  kind: z.literal("connector"),
  connector: name,
  event: name,
  connection_id: z.string().nullish(),
  params: z.record(z.string(), z.unknown()).default({}),
});

/** decisions, Failure triggers. */
const failure = z.object({
  kind: z.literal("failure"),
  workflow_ids: z
    .array(z.uuid("must be the id of a workflow"))
    .min(1, "must name at least one workflow; leave it out for all")
    .max(LIMITS.failureWorkflows, `must name at most ${LIMITS.failureWorkflows} workflows`)
    .describe("The workflows whose failed and timed-out runs start this one; all of the workspace if left out.")
    .nullish(),
});

/** The configuration of the trigger that starts an event_driven workflow (decisions, The graph document: trigger). */
export const triggerConfig = z.discriminatedUnion(
  "kind",
  [webhook, z.discriminatedUnion("mode", [interval, cron], "must be cron or interval"), connector, formConfig, failure],
  `must be one of ${TRIGGER_KINDS.join(", ")}`,
);

/** The data of a trigger: its configuration, and the label of every step. */
export const triggerData = z.object(label).and(triggerConfig);

export type TriggerConfig = z.output<typeof triggerConfig>;
export type WebhookConfig = z.output<typeof webhook>;
export type ScheduleConfig = z.output<typeof interval> | z.output<typeof cron>;
