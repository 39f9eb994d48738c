import { documentationPassages } from "#lib/api/documentation/list-passages";

/** Built once: the pages change with the build only. */
export const dynamic = "force-static";
export const GET = documentationPassages;
