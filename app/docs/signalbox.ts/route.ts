import { clientFile } from "#lib/api/openapi/client-file";

/** Part of the build: read once, then served like any other file. */
export const dynamic = "force-static";
export const GET = clientFile;
