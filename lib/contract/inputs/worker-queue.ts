import { z } from "zod";

/** The name of a queue that runs wait in. Every workspace is in one; workers can serve some of them only. */
export const queueNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, "must be a queue name: up to 32 lowercase letters, digits and hyphens");
