import { documentationPassages } from "#lib/api/documentation/list-passages";

/** Built once, because the pages change only with the build. */
export const dynamic = "force-static";
export const GET = documentationPassages;
