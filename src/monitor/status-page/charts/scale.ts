/** Width and height of a plot in its own units; it is stretched to the space that there is. */
export const WIDTH = 1_000;
export const HEIGHT = 200;

/** The values of the axis: 0 and up to four more, round ones, the last not below `highest`. */
export function ticks(highest: number): number[] {
  const rough = Math.max(highest, 0.001) / 4;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * magnitude >= rough) ?? 10) * magnitude;
  return Array.from({ length: Math.ceil(Math.max(highest, 0.001) / step - 1e-9) + 1 }, (_, index) => index * step);
}

/** From a value to its height in the plot, 0 at the bottom. */
export function vertical(highest: number): (value: number) => number {
  return (value) => round(HEIGHT - (Math.min(value, highest) / highest) * HEIGHT);
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
