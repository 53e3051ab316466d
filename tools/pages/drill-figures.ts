import { faults, variants } from '../../reference-service/index.ts';

/** README's sentence on what the suite catches, from the fault catalogue that the drill verifies. */
export function drillFigures(): string {
  const documented = faults.filter(({ grade }) => grade === 'documented').length;
  const caught = faults.filter(({ survives }) => survives === undefined).length;
  const percent = Math.floor((100 * caught) / faults.length);
  return `The drill breaks the reference service in ${faults.length} ways. The suite catches all ${documented} faults that violate the specification and ${percent} % of all\nfaults, with no false alarm on ${variants.length} valid variants of the service.`;
}
