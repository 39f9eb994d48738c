import { join } from "node:path";

/** @type {import("next").NextConfig} */
const config = {
  // The repository's node_modules are this application's too.
  turbopack: { root: join(import.meta.dirname, "../..") },
  serverExternalPackages: ["pg"],
};
export default config;
