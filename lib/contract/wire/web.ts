import type { z } from "zod";
import type { sessionSchema } from "#lib/contract/account/account-schema";
import type { createdKeySchema, keyListSchema, keySchema } from "#lib/contract/key/key-schema";
import type {
  replayPreviewSchema,
  runChangeSchema,
  runGraphSchema,
  stepDetailSchema,
} from "#lib/contract/run/run-view-schema";

/** An API key as the web application shows it. The raw key appears only in CreatedKey. */
export type KeyObject = z.output<typeof keySchema>;

export type CreatedKey = z.output<typeof createdKeySchema>;

export type KeyListObject = z.output<typeof keyListSchema>;

export type SessionObject = z.output<typeof sessionSchema>;

/** The result for one of several runs that were changed at once. */
export type RunChange = z.output<typeof runChangeSchema>;

/** The parts that a timeline omits or cuts: the payloads of one step, and its journal entries without payloads. */
export type StepDetailObject = z.output<typeof stepDetailSchema>;

/** The graph that a run executed, which may differ from today's draft. */
export type ReplayPreviewObject = z.output<typeof replayPreviewSchema>;
export type RunGraphObject = z.output<typeof runGraphSchema>;
