import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The program that opens a page in the user's browser, with its arguments before the path. */
export function openerOf(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open'];
  // The first argument in quotes would be the title of a window.
  return platform === 'win32' ? ['cmd', '/c', 'start', '""'] : ['xdg-open'];
}

/** Opens a page in the user's browser; gives whether it could. */
export async function openPage(path: string, platform = process.platform): Promise<boolean> {
  const [program, ...args] = openerOf(platform);
  const child = spawn(program, [...args, path], { stdio: 'ignore' });
  const ended = once(child, 'exit').then(([code]) => code === 0);
  // There is no such program, as on a server.
  return ended.catch(() => false);
}
