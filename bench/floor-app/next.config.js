import { join } from "node:path";

/** @type {import("next").NextConfig} */
const config = {
  // This application uses the repository's node_modules.
  turbopack: { root: join(import.meta.dirname, "../..") },
  serverExternalPackages: ["pg"],
};
export default config;
