import {
  type CataloguedFault,
  circumstances,
  type ServiceReading,
  serviceReadings,
} from '../../reference-service/index.ts';
import { headers } from '../service/index.ts';

export type Dimensions = Readonly<Record<string, readonly string[]>>;

export type Row = Readonly<Record<string, string>>;

const inService: Readonly<Record<string, Readonly<Record<string, ServiceReading>>>> = {
  ...serviceReadings,
  ...circumstances,
};

/**
 * Each open question of the specification with its possible readings. The first reading is the plain one: the service's behaviour without
 * changes.
 */
export const dimensions: Dimensions = {
  ...Object.fromEntries(Object.entries(inService).map(([question, readings]) => [question, Object.keys(readings)])),
  // Whether a provisioner can create users and items for each scenario.
  provisioner: ['given', 'none'],
};

/**
 * Rows with one reading for each question, on which faults are drilled. The ordinary drill covers the first row, whose readings are all
 * plain.
 */
export const spread: readonly Row[] = pairwise(dimensions).slice(1);

export function rowName(row: Row): string {
  const other = Object.entries(row).filter(([question, reading]) => dimensions[question]?.[0] !== reading);
  return other.map(([question, reading]) => `${question}=${reading}`).join(' ');
}

/**
 * Questions about the contents of requests. A service that answers one of them in an unusual way may refuse an odd body before the body can
 * trigger the fault.
 */
const ofInput = ['type-version', 'reportCodes', 'avatar-form', 'profile-form', 'unknownFields'];
const ofHeaders = ['headerMissing', 'headerEmpty', 'headerWrong', 'headerOfAnother'];

/** Questions about refusals. A service that answers one of them in an unusual way sends other bodies with its refusals. */
const ofRefusals = ['errorForm', 'successRule'];

/**
 * The row that a fault is drilled on: `row`, but with the plain reading of each question whose reading in `row` would hide the fault or
 * make it correct behaviour.
 */
export function rowFor(fault: CataloguedFault | undefined, row: Row): Row {
  if (!fault) return row;
  const { kind, respond, unchecked = [], hiddenBy = [] } = fault;
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

export function readingsOf(row: Row): ServiceReading[] {
  return Object.keys(inService).flatMap((question) => inService[question]?.[row[question] ?? ''] ?? []);
}

/**
 * Pairwise testing: rows in which every two choices of different dimensions occur together at least once. The first row has the first
 * choice of each dimension. The algorithm is greedy and deterministic: for each dimension, a row takes the choice that completes the most
 * pairs that no earlier row has.
 */
export function pairwise(dimensions: Dimensions): Row[] {
  let open: Row[] = Object.entries(dimensions).flatMap(([a, ofA], i, all) =>
    all.slice(i + 1).flatMap(([b, ofB]) => ofA.flatMap((x) => ofB.map((y) => ({ [a]: x, [b]: y })))),
  );
  const rows = [Object.fromEntries(Object.entries(dimensions).map(([name, [first = '']]) => [name, first]))];
  for (const row of rows) {
    open = open.filter((pair) => !isIn(row, pair));
    // The next row begins with a pair that no row has yet, so every row adds at least one pair.
    if (open[0]) rows.push(rowFrom(open[0], dimensions, open));
  }
  return rows;
}

function rowFrom(pair: Row, dimensions: Dimensions, open: readonly Row[]): Record<string, string> {
  let row = pair;
  for (const [name, choices] of Object.entries(dimensions).filter(([each]) => !(each in pair))) {
    const ofName = open.filter((each) => name in each);
    const gain = (choice: string) => ofName.filter((each) => isIn({ ...row, [name]: choice }, each)).length;
    row = { ...row, [name]: choices.reduce((best, choice) => (gain(choice) > gain(best) ? choice : best)) };
  }
  return Object.fromEntries(Object.keys(dimensions).map((name) => [name, row[name] ?? '']));
}

function isIn(row: Row, pair: Row): boolean {
  return Object.entries(pair).every(([name, choice]) => row[name] === choice);
}
