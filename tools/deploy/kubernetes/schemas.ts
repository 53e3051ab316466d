import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../src/config/project-root.ts';
import type { KubernetesObject } from './objects.ts';

type Models = Readonly<Record<string, new (data: object) => { validate(): void }>>;

/** The module with the models of an API version. */
function moduleOf(apiVersion: string): string {
  const ofOperator = apiVersion.startsWith('monitoring.coreos.com/');
  return `${ofOperator ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'}/${apiVersion}`;
}

/** What the schemas of Kubernetes and of the Prometheus operator have against an object; formats and types of values. */
export async function invalidIn(object: KubernetesObject): Promise<string | undefined> {
  const kinds = (await import(moduleOf(object.apiVersion))) as Models;
  const Kind = kinds[object.kind];
  if (!Kind) return `${object.apiVersion} has no ${object.kind}`;
  try {
    new Kind(object).validate();
    return undefined;
  } catch (error) {
    return `${object.kind} ${object.metadata.name}: ${(error as Error).message}`;
  }
}

/**
 * What the compiler has against objects that are written as literals of their types: fields that don't exist, which the schemas let
 * pass as the API server does with a warning.
 */
export function unknownFieldsIn(objects: readonly KubernetesObject[]): string {
  const folder = join(projectRoot, 'node_modules', '.cache', `kubernetes-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    const lines = objects.map((object, index) => {
      const type = `import(${JSON.stringify(moduleOf(object.apiVersion))}).I${object.kind}`;
      return `export const object${index}: ${type} = ${JSON.stringify(object, null, 2)};`;
    });
    writeFileSync(join(folder, 'objects.ts'), lines.join('\n'));
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: join(projectRoot, 'tsconfig.json'), include: ['objects.ts'], exclude: [] }),
    );
    const tsc = join(projectRoot, 'node_modules', '.bin', 'tsc');
    return spawnSync(tsc, ['-p', folder], { encoding: 'utf8' }).stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
