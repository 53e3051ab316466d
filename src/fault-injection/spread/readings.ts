import {
  type CataloguedFault,
  circumstances,
  type ServiceReading,
  serviceReadings,
} from '../../../reference-service/index.ts';
import { headers } from '../../spec/index.ts';
import { type Dimensions, pairwise, type Row } from './pairwise.ts';

const inService: Readonly<Record<string, Readonly<Record<string, ServiceReading>>>> = {
  ...serviceReadings,
  ...circumstances,
};

/** Every question with its readings, the plain one first. */
export const dimensions: Dimensions = {
  ...Object.fromEntries(Object.entries(inService).map(([question, readings]) => [question, Object.keys(readings)])),
  // Whether users and items can be made for each scenario.
  provisioner: ['given', 'none'],
};

/** The readings that faults are drilled on, the plain one left out: that is the drill itself. */
export const spread: readonly Row[] = pairwise(dimensions).slice(1);

/** The description of a row: its deviations. */
export function rowName(row: Row): string {
  const other = Object.entries(row).filter(([question, reading]) => dimensions[question]?.[0] !== reading);
  return other.map(([question, reading]) => `${question}=${reading}`).join(' ');
}

/** Readings under which bodies that are odd are refused before a fault that chokes on them is reached. */
const ofInput = ['typeVersion', 'reportCodes', 'avatarForm', 'profileForm', 'unknownFields'];
const ofHeaders = ['headerMissing', 'headerEmpty', 'headerWrong', 'headerOfAnother'];

/** Readings that put another body in a refusal's place. */
const ofRefusals = ['errorForm', 'successRule'];

/** The row that a fault is drilled on: where a reading would make it no fault, or keep it from showing, the plain one. */
export function rowFor({ kind, respond, unchecked = [], hiddenBy = [] }: CataloguedFault, row: Row): Row {
  const isOfIds = kind === 'auth' && unchecked.some((name) => headers[name].kind !== 'credential');
  const isOfRefusals = respond !== undefined && kind !== 'auth';
  const plain = [
    ...(isOfIds ? ofHeaders : []),
    ...(kind === 'input' ? ofInput : []),
    ...(isOfRefusals ? ofRefusals : []),
    ...hiddenBy,
  ];
  return { ...row, ...Object.fromEntries(plain.map((question) => [question, dimensions[question]?.[0] ?? ''])) };
}

/** How the service has the readings of a row. */
export function readingsOf(row: Row): ServiceReading[] {
  return Object.keys(inService).flatMap((question) => inService[question]?.[row[question] ?? ''] ?? []);
}
