import { existsSync } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { showStep } from "#scripts/progress";
import { runProgram } from "#scripts/run-program";
import { canInstallDebianPackages, installDebianPackage } from "#scripts/testing/install-debian-package";

/** The folder is kept between checks, because a build takes minutes and its layers are reused. */
const FOLDER = ".tmp/image-check";
const STORAGE = [
  ...["--root", `${process.cwd()}/${FOLDER}/storage`, "--runroot", `${process.cwd()}/${FOLDER}/run`],
  ...["--storage-driver", "overlay"],
];
const DEBIAN_PACKAGES = ["buildah", "podman", "runc", "mmdebstrap"];
const BASE_IMAGE = "localhost/signalbox-base";
const NODE_IMAGE = "localhost/signalbox-node";
/** Folders that Debian's slim images leave out. */
const LEFT_OUT = ["doc", "man", "info", "locale"].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`);

/** The image that the check builds. */
export const CHECKED_IMAGE = "localhost/signalbox:checked";

export async function podman(...args: string[]): Promise<string> {
  return (
    await runProgram("podman", [...STORAGE, "--cgroup-manager", "cgroupfs", "--log-level", "fatal", ...args])
  ).output.trim();
}

async function buildah(context: string, options: string[]): Promise<void> {
  // Runs without a daemon and without a container's rights: the build's steps run in a chroot.
  const isolated = ["bud", "--isolation", "chroot", "--format", "docker", "--layers"];
  await runProgram("buildah", [...STORAGE, ...isolated, ...options, context]);
}

/** @throws Error that says what this machine lacks */
export async function requireImageTools(): Promise<void> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    throw new Error("The check of the image needs root on Linux, with buildah, podman, runc and mmdebstrap.");
  }
  for (const name of DEBIAN_PACKAGES) {
    if (existsSync(`/usr/bin/${name}`) || existsSync(`/usr/sbin/${name}`)) continue;
    if (!canInstallDebianPackages()) throw new Error(`The check of the image needs ${name}. Install it.`);
    await showStep(`Installing Debian's ${name}`, () => installDebianPackage(name));
  }
}

/**
 * Builds the image of `deploy/Dockerfile` without a registry. The base image is made from Debian's packages, and the
 * image that builds has this machine's Node.js and npm.
 */
export async function buildCheckedImage(): Promise<void> {
  if (!(await hasImage(BASE_IMAGE))) await showStep("Making a Debian image", makeBaseImage);
  if (!(await hasImage(NODE_IMAGE))) await showStep("Making a Node.js image", makeNodeImage);
  await showStep("Building the image", async () => {
    const given = [`NODE_IMAGE=${NODE_IMAGE}`, `BASE_IMAGE=${BASE_IMAGE}`].flatMap((one) => ["--build-arg", one]);
    await buildah(".", ["--file", "deploy/Dockerfile", "--tag", CHECKED_IMAGE, ...given]);
  });
}

async function hasImage(name: string): Promise<boolean> {
  return (await podman("images", "--quiet", name)) !== "";
}

async function makeBaseImage(): Promise<void> {
  const archive = join(FOLDER, "base.tar");
  await mkdir(FOLDER, { recursive: true });
  await runProgram("mmdebstrap", [
    "--variant=apt",
    // Without this hook, usrmerge is installed, and all of Perl with it.
    "--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr",
    "--include=usr-is-merged",
    '--aptopt=Acquire::Languages "none"',
    ...LEFT_OUT,
    '--customize-hook=rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*.bin',
    ...["bookworm", archive],
  ]);
  await podman("import", archive, BASE_IMAGE);
  await rm(archive);
}

/**
 * Makes an image with this machine's Node.js. Also copies its certificate authorities, because it may reach the
 * registry through a proxy.
 */
async function makeNodeImage(): Promise<void> {
  const context = join(FOLDER, "node");
  const { output } = await runProgram("npm", ["root", "--global"]);
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  await mkdir(context, { recursive: true });
  await cp(process.execPath, join(context, "node"));
  await cp(join(output.trim().split("\n").at(-1) ?? "", "npm"), join(context, "npm"), { recursive: true });
  if (authorities) await cp(authorities, join(context, "authorities.crt"), { dereference: true });
  const lines = [
    `FROM ${BASE_IMAGE}`,
    "COPY node /usr/local/bin/node",
    "COPY npm /usr/local/lib/node_modules/npm",
    "RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm",
    ...(authorities ? ["COPY authorities.crt /etc/", "ENV NODE_EXTRA_CA_CERTS=/etc/authorities.crt"] : []),
  ];
  await writeFile(join(context, "Dockerfile"), `${lines.join("\n")}\n`);
  await buildah(context, ["--tag", NODE_IMAGE]);
  await rm(dirname(join(context, "node")), { recursive: true });
}
