import { launch } from "#scripts/instance/launch";

await launch("production", process.argv.slice(2));
