import { launch } from "#scripts/launch";

await launch("development", process.argv.slice(2));
