import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { projectRoot } from '../../../src/environment/project-root.ts';
import { schemasIn } from '../../../src/testing/schema-files.ts';
import { outputOf } from '../programs.ts';

/** An object of Kubernetes. Schemas check its parts before the tests read them. */
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

/** The folders that `kubectl apply -k` can apply as they are in the project. */
export const roots = [
  'check',
  'overlays/one-cluster',
  'overlays/three-locations/fra',
  'overlays/three-locations/iad',
  'overlays/three-locations/sin',
  'overlays/three-locations/rules',
] as const;

/** Every object in the files of deploy/kubernetes, before kustomize changes it. */
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

const schemas = join(import.meta.dirname, 'schemas');
const problems = schemasIn(globSync('*.json', { cwd: schemas }).map((file) => join(schemas, file)));

/** The problems of an object by the schemas of Kubernetes and the Prometheus operator, which also refuse unknown fields. */
export function problemsOf(object: KubernetesObject): string[] {
  const [group] = object.apiVersion.split('/', 1);
  const file = { v1: 'core', 'monitoring.coreos.com': 'prometheus-operator' }[group ?? ''] ?? 'groups';
  return problems(`${file}.json#/$defs/${object.kind}`, object).map(
    (problem) => `${object.kind} ${object.metadata.name}${problem}`,
  );
}
