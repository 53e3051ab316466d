import { likelyCauseLine, likelyCauses } from '../fault-injection/likely-cause.ts';
import { committedMatrix } from '../fault-injection/matrix.ts';
import { symptomOf } from '../fault-injection/symptom.ts';
import type { GuessCause } from '../monitor/index.ts';

/** The likely cause of an incident, from the kill matrix. The matrix is read each time: incidents are looked at rarely. */
export const guessCause: GuessCause = (failed, ran) => {
  const red = failed.map(({ ending, ...scenario }) => ({
    ...scenario,
    ...(ending ? { symptom: symptomOf(ending) } : {}),
  }));
  return likelyCauseLine(likelyCauses(committedMatrix(), red, ran)) || undefined;
};
