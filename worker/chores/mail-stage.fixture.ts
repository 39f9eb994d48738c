import { afterAll, beforeAll, beforeEach } from "vitest";
import { startMailServer } from "#lib/domain/outbound-events/deliveries/receivers.fixture";
import { db } from "#lib/platform/db/pool";
import { type JobQueue, startJobQueue } from "#worker/execute/job-queue";

/** For tests: a mail server, and a job queue that sends emails with it. */
export interface MailStage {
  server: Awaited<ReturnType<typeof startMailServer>>;
  queue: JobQueue;
  /** Starts the job queue of another worker, for the rest of the file. */
  startQueue(): Promise<JobQueue>;
  /** Ends all job queues. The jobs of later emails stay. */
  stop(): Promise<void>;
}

/** For tests: starts the stage once for all tests of a file, after `useTestDatabase`. */
export function useMailStage(): MailStage {
  const stage = {} as MailStage;
  const queues: JobQueue[] = [];
  stage.startQueue = async () => {
    const queue = await startJobQueue(db(), {});
    queues.push(queue);
    return queue;
  };
  stage.stop = async () => void (await Promise.all(queues.splice(0).map((queue) => queue.stop())));
  beforeAll(async () => {
    stage.server = await startMailServer();
    process.env.SMTP_URL = stage.server.url;
    process.env.MAIL_FROM = "Signalbox <bot@signalbox.example>";
    stage.queue = await stage.startQueue();
  });
  beforeEach(() => {
    stage.server.mails.length = 0;
  });
  afterAll(async () => {
    await stage.stop();
    await stage.server.close();
  });
  return stage;
}
