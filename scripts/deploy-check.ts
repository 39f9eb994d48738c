import { checkImage } from "#scripts/image/check-image";
import { buildCheckedImage, requireImageTools } from "#scripts/image/image-tools";

// `npm run deploy-check`: builds the image of deploy/Dockerfile and runs it the way deploy/compose.yaml does.
try {
  await requireImageTools();
  await buildCheckedImage();
  await checkImage();
} catch (error) {
  process.stderr.write(`\n${(error as Error).message}\n`);
  process.exitCode = 1;
}
