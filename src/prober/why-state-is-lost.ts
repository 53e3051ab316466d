/**
 * Why the files of a folder are lost when its container or pod is replaced; `undefined` if they stay. `mountInfo` is the text of
 * `/proc/self/mountinfo` (proc_pid_mountinfo(5)). `folder` is a path without symbolic links.
 */
export function whyStateIsLost(mountInfo: string, folder: string): string | undefined {
  const mounts = mountInfo.split('\n').flatMap(parsed);
  const holding = mounts.filter(({ point }) => `${folder}/`.startsWith(point === '/' ? point : `${point}/`));
  const longest = Math.max(...holding.map(({ point }) => point.length));
  // If two mounts have the same path, the later one hides the other.
  const mount = holding.findLast(({ point }) => point.length === longest);
  if (!mount) return undefined;
  if (['tmpfs', 'ramfs'].includes(mount.type)) return `is in memory (${mount.type})`;
  if (['overlay', 'aufs'].includes(mount.type) && mount.point === '/')
    return 'is inside the container, not on a volume';
  if (mount.root.includes('/kubernetes.io~empty-dir/')) return 'is an emptyDir, which ends with its pod';
  return undefined;
}

/**
 * Parses a line of mountinfo: a mount at the path `point`. `root` is the folder, inside the mounted file system, that is visible at
 * `point`.
 */
function parsed(line: string) {
  const [before = '', after = ''] = line.split(' - ');
  const [, , , root, point] = before.split(' ');
  const [type] = after.split(' ');
  return root && point && type ? [{ root: unescaped(root), point: unescaped(point), type }] : [];
}

/** Decodes blanks and similar characters, which mountinfo contains as octal numbers. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}
