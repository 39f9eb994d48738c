import { launch } from "#scripts/launch";

await launch("production", process.argv.slice(2));
