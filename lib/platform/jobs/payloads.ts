/** The background tasks of graphile-worker and the payload of each job. */
export interface JobPayloads {
  /** Builds one custom connector. */
  build_connector: { build_id: string };
  /** Sends the email of an invite; the id is the invite's. */
  send_invite_mail: { id: string };
  /** Sends a link that sets a new password; the id is the user's. */
  send_reset_mail: { id: string };
}
export type JobName = keyof JobPayloads;

export const BUILD_JOB = { identifier: "build_connector", max_attempts: 5 } as const satisfies {
  identifier: JobName;
  max_attempts: number;
};

/** An email to a person. A refused one is sent again after the growing delays of graphile-worker. */
export interface MailJob {
  identifier: Extract<JobName, `send_${string}`>;
  max_attempts: number;
}
/** 3 s, 7 s, 20 s, 55 s, and so on up to 6 h: 22 hours in all. */
export const INVITE_MAIL_JOB: MailJob = { identifier: "send_invite_mail", max_attempts: 13 };
/** About ten minutes. A user who waits longer has asked again. */
export const RESET_MAIL_JOB: MailJob = { identifier: "send_reset_mail", max_attempts: 7 };

/** The task that executes a run (`prisma/functions/add_run_jobs.sql`). */
export const RUN_TASK = "execute_run";

/** After this many losses of a worker in a row without progress a run is suspect (decisions, Runs: quarantine). */
export const SUSPECT_STALLED = 2;

/**
 * Condition on a row of `run_queue`: a suspect run that is due or executing. One that waits for the end of a delay, for a
 * callback or for another run needs no quarantine worker until then. In two parts, so that each has an index.
 */
export const IS_DUE_SUSPECT = "is_suspect and (not is_later or (is_later and run_at <= now()))";
