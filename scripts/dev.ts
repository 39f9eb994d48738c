import { launch } from "#scripts/instance/launch";

await launch("development", process.argv.slice(2));
