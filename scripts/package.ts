import { packRelease } from "#scripts/image/pack-release";

// `npm run package`: makes an archive of the built product, which starts without installing or building anything.
const [folder = ".tmp/release", ...rest] = process.argv.slice(2);
if (folder.startsWith("-") || rest.length > 0) {
  process.stderr.write("Usage: npm run package -- [folder]\n");
  process.exitCode = 1;
} else {
  try {
    process.stdout.write(`${await packRelease(folder)}\n`);
  } catch (error) {
    process.stderr.write(`\n${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
