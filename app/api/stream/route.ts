import { eventStream } from "#lib/api/web/event-stream";

export const dynamic = "force-dynamic";
export const GET = eventStream;
