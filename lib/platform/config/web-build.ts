import { existsSync } from "node:fs";

/** The digest of what the build of the pages was made from. It is written last, so an interrupted build has none. */
export const BUILD_STAMP = ".next/sources.sha256";
/** Why the last build failed. It is deleted when the next one starts. */
export const BUILD_FAILURE = ".next/failure.txt";

/** The state of the pages, as another process builds them. */
export type WebBuild = "built" | "building" | "failed";

/** Reads the state from the files of the build. The process runs in the root of the project. */
export function readWebBuild(): WebBuild {
  if (existsSync(BUILD_STAMP)) return "built";
  return existsSync(BUILD_FAILURE) ? "failed" : "building";
}
