/** Spends nothing on what only developers read: the sources of a stack trace, and a cache for the next build. */
const LIGHT_BUILD = {
  turbopackFileSystemCacheForBuild: false,
  turbopackSourceMaps: false,
  // Smaller files on the server save no one a download, and cost a fifth of the build.
  serverMinification: false,
};

/** @type {import("next").NextConfig} */
const config = {
  // The browser may open the server as localhost or 127.0.0.1; `next dev` hydrates only on origins it knows.
  allowedDevOrigins: ["127.0.0.1"],
  poweredByHeader: false,
  reactStrictMode: true,
  experimental: process.env.NODE_ENV === "production" ? LIGHT_BUILD : {},
  // The server reads the pages of the documentation at run time.
  outputFileTracingIncludes: { "/docs/*": ["./docs/**/*.md"] },
  // `npm test` checks the types of the whole project. Checking them in the build would add 15 s to the first start.
  typescript: { ignoreBuildErrors: true },
  // Native addons, and packages that load files from their own folder, stay outside the bundle.
  serverExternalPackages: [
    "@node-rs/argon2",
    "pg",
    "pino",
    "graphile-worker",
    "@prisma/client",
    "@prisma/adapter-pg",
    "imapflow",
    "nodemailer",
  ],
};
export default config;
