import { eventStream } from "#lib/surfaces/event-stream";

export const dynamic = "force-dynamic";
export const GET = eventStream;
