import { basename, dirname, join } from 'node:path';
import { killMatrixPage, type Matrix } from '../../src/drill/index.ts';
import { projectRoot } from '../../src/environment/project-root.ts';
import { allScenarios } from '../../src/run/index.ts';

export const page = join(projectRoot, 'docs', 'kill-matrix.md');

export async function columns(): Promise<Map<string, string>> {
  return new Map((await allScenarios()).map(({ title, file }) => [title, basename(dirname(file))]));
}

export async function pageOf(matrix: Matrix): Promise<string> {
  return killMatrixPage(matrix, await columns());
}
