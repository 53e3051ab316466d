import assert from 'node:assert/strict';
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileRoles } from '../config/files/index.ts';
import { type Opened, type OpenedIn, sandbox } from '../testing/broken-files/opened-file.ts';
import { openedFiles } from '../testing/broken-files/opened-files.ts';
import { type BrokenState, brokenStates } from '../testing/broken-files/states.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { environmentText } from '../testing/test-environment.ts';

const service = await ownService();
const box = sandbox();
process.umask(0);
after(() => box.end());

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const setting = { at: box.at, environmentText: environmentText(service.addresses) };
/** A kind that is missing here doesn't compile. */
const files = Object.entries(openedFiles(setting)).flatMap(([role, all]) =>
  [all].flat().map((each: Opened) => ({ name: fileRoles[role as keyof OpenedIn].what, code: 0, ...each })),
);
type Opening = (typeof files)[number];

/** Does `work` as a user to whom permissions apply. */
async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (!isRoot) return work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

/** All that must stay as it is: kind, target, mode and bytes. */
function trace(path: string): unknown {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return 'nothing';
  if (found.isSymbolicLink()) return readlinkSync(path);
  return [found.mode, found.isFile() ? readFileSync(path).toString('latin1') : ''];
}

function whyNot({ needs, name }: BrokenState): string | undefined {
  if (needs === 'mount' && !box.isMounted) return 'a small disk can be mounted by root on Linux alone';
  if (process.platform === 'win32' && (needs === 'ordinary user' || name === 'a FIFO')) return 'Windows has none';
  return undefined;
}

function applies({ holds, untriedByRoot = [] }: Opening, { name }: BrokenState): boolean {
  if (isRoot && untriedByRoot.includes(name)) return false;
  const others = holds === undefined ? ['a folder', 'garbage', 'empty', 'half'] : ['a file'];
  return !others.includes(name);
}

async function tried(file: Opening, state: BrokenState): Promise<void> {
  box.prepare(file, setting.environmentText);
  const path = box.at(file.path);
  state.make(path);
  const before = trace(path);
  try {
    const { code, out, err } = await (state.needs === 'ordinary user' ? asOrdinaryUser(file.run) : file.run());
    const said = `exit ${code}\n${out}${err}`;
    assert.doesNotMatch(said, /^ +at |bug in Sextant/m, said);
    if (file.fine.includes(state.name)) {
      assert.equal(code, file.code, said);
      return;
    }
    assert.equal(code, 2, said);
    assert.match(
      err,
      /^[^\n]+\n$|^(Environment "my" can't be used|The monitor's settings have)[^\n]+\n( {2}.*\n)+$/,
      said,
    );
    assert.deepEqual(trace(path), before, `it was changed; ${said}`);
  } finally {
    state.end?.(path);
  }
}

for (const file of files) {
  test(`${file.name}: a healthy one is read`, async () => {
    box.prepare(file, setting.environmentText);
    const { code, out, err } = await file.run();
    assert.equal(code, file.code, out + err);
  });
}

for (const state of brokenStates) {
  const skip = whyNot(state) ?? false;
  for (const file of files.filter((each) => applies(each, state)))
    test(`${file.name} is ${state.name}`, { skip }, () => tried(file, state));
}
