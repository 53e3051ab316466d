import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { projectRoot } from '../../../src/config/project-root.ts';
import { compiled } from '../../sources.ts';
import { outputOf } from '../programs.ts';

/** An object of Kubernetes; what tests look into is checked by schemas first. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has another one, and the schemas check it
  readonly spec?: any;
  readonly data?: Readonly<Record<string, string>>;
}

export const kubernetesFolder = join(projectRoot, 'deploy', 'kubernetes');

/** The folders that can be applied as they are. */
export const roots = [
  'check',
  'overlays/one-cluster',
  'overlays/three-locations/fra',
  'overlays/three-locations/iad',
  'overlays/three-locations/sin',
  'overlays/three-locations/rules',
] as const;

/** Every object in a file of deploy/kubernetes, before kustomize. */
export function writtenObjects(): KubernetesObject[] {
  const files = globSync('**/*.yaml', { cwd: kubernetesFolder, exclude: ['**/kustomization.yaml'] });
  return files.sort().flatMap((file) => parsed(readFileSync(join(kubernetesFolder, file), 'utf8')));
}

export function builtObjects(folder: string): KubernetesObject[] {
  const { code, text } = outputOf('kubectl', ['kustomize', join(kubernetesFolder, folder)]);
  if (code !== 0) throw new Error(text);
  return parsed(text);
}

function parsed(text: string): KubernetesObject[] {
  return parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject);
}

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
  const lines = objects.map((object, index) => {
    const type = `import(${JSON.stringify(moduleOf(object.apiVersion))}).I${object.kind}`;
    return `export const object${index}: ${type} = ${JSON.stringify(object, null, 2)};`;
  });
  return compiled({ 'objects.ts': lines.join('\n') });
}
