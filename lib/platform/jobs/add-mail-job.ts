import type { MailJob } from "#lib/platform/jobs/payloads";

/**
 * After this, the minute's job that sets mail up queues an email again whose job was lost, and a worker of an older
 * version sends one that it finds in the table: longer than a job waits for a place.
 */
export const MAIL_UNATTENDED_SECONDS = 120;
/** The same once an email was attempted: longer than the delays between two attempts, and than an attempt takes. */
export const MAIL_ABANDONED_SECONDS = 24 * 3_600;

/**
 * SQL that adds the job of an email, or makes it due at once with all of its attempts. All workers together send one
 * email of a kind at a time: a mail server that does not answer leaves the other places of the job queue free. The next
 * free place is for an email.
 * @param id an expression for the id that the job is about
 */
export function addMailJob({ identifier, max_attempts: attemptsMax }: MailJob, id: string): string {
  return `graphile_worker.add_job('${identifier}', json_build_object('id', ${id}), queue_name := '${identifier}',
    job_key := '${identifier}:' || ${id}, max_attempts := ${attemptsMax}, priority := -10)`;
}
