/** @type {import("next").NextConfig} */
const config = {
  // The browser may open the server as localhost or 127.0.0.1; `next dev` hydrates only on origins it knows.
  allowedDevOrigins: ["127.0.0.1"],
  poweredByHeader: false,
  reactStrictMode: true,
  // Pages of the documentation are read while the product runs.
  outputFileTracingIncludes: { "/docs/*": ["./docs/**/*.md"] },
  // The tests check the types of the whole project; a first start need not wait 15 s for it once more.
  typescript: { ignoreBuildErrors: true },
  // Native addons and packages that load files beside themselves stay outside the bundle.
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
