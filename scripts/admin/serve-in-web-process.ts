import { serveAdmin } from "#scripts/admin/serve-admin";

// Loaded before the web server of an instance. It loads no use case until a command arrives.
serveAdmin(process.env.DATA_DIR ?? "");
