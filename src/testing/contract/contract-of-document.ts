import assert from 'node:assert/strict';
import { join } from 'node:path';
import { responseBreaches } from '../../call/contract/contract-log.ts';
import { loadContract } from '../../environment/contract/contract-of.ts';
import type { Held } from '../../environment/contract/loaded-document.ts';
import { type AreaId, areaIds, readProfile } from '../../service/index.ts';
import type { Contract } from '../../verdict/index.ts';
import { type Files, ownFolder, writeFiles } from '../own-folder.ts';
import { fakeResponse } from './fake-response.ts';

/**
 * The parts of an environment that are needed to find its operations in an OpenAPI document: the addresses of all areas, which are `prefix`
 * on one host, and the request that reads a profile.
 */
export function heldAt(prefix = '/'): Held {
  const addresses = Object.fromEntries(areaIds.map((area) => [area, new URL(prefix, 'https://api.example.org')]));
  return {
    addresses: addresses as Record<AreaId, URL>,
    readProfile: { ...readProfile, method: 'GET', path: '/v1/profile/{userId}' },
  };
}

export const folderWith = (files: Files) => writeFiles(ownFolder(), files);

/** Loads the contract from the document `main` among `files`. @throws ConfigurationError */
export function contractOfFiles(files: Files, main = 'openapi.yaml', held = heldAt()): Contract {
  return loadContract([join(folderWith(files), main)], held);
}

/** Violations of the contract in `main` if `listBlocked` responds with status 200 and this body. */
export function brokenBy(files: Files, body: unknown, main?: string): readonly string[] {
  const specified = contractOfFiles(files, main).operations.get('listBlocked');
  assert.ok(specified);
  return responseBreaches(fakeResponse(200, body), specified).broken;
}

/** An OpenAPI document with one response: the 200 of `listBlocked`. */
export function listDocument(schema: unknown, rest: Readonly<Record<string, unknown>> = {}) {
  return {
    openapi: '3.1.0',
    paths: {
      '/v1/friends/block/{n1}/{n2}': {
        get: { responses: { 200: { description: '', content: { 'application/json': { schema } } } } },
      },
    },
    ...rest,
  };
}
