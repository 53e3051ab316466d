import { Undecided } from '../facts/fact.ts';
import { type KindSamples, kindSize, type Samples } from '../inference/samples.ts';
import { inferSchema, shapeText } from '../inference/schema.ts';
import { type Experiment, withComparison } from './experiment.ts';

/** Derives the shape of an operation's successes from all responses so far. */
export function answerShape(samples: Samples): Experiment {
  return {
    questions: () => ['answer-shape'],
    run: async (runner, { id }) => {
      await withComparison(runner, id);
      const control = runner.lastControl(id)?.exchange;
      const successes = [...samples.of(id)].filter(([kind]) => /^2\d\d$/.test(kind)).map(([, found]) => found);
      const [most] = successes.sort((a, b) => kindSize(b) - kindSize(a));
      if (!most || most.withText > 0) throw new Undecided('its responses contain no JSON');
      return { answer: shape(most), seen: control ? [control] : [], samples: kindSize(most) };
    },
  };
}

function shape({ withJson, empty, values }: KindSamples): string {
  if (withJson === 0) return 'no body';
  const text = shapeText(inferSchema(values));
  return empty > 0 ? `${text}, or no body` : text;
}
