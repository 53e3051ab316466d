/** One query of a panel. */
export interface Query {
  readonly expr: string;
  /** Grafana's template for the name of a series, e.g. `{{scenario}}`. */
  readonly legend?: string;
}

export interface Panel {
  readonly title: string;
  readonly description?: string;
  readonly type: 'stat' | 'table' | 'timeseries' | 'state-timeline';
  readonly queries: readonly Query[];
  /** Columns of a table, by label, with the address that a cell links to. */
  readonly columns?: Readonly<Record<string, string | undefined>>;
  /** A unit of Grafana: `s`, `percentunit`, `bytes`, `short`. */
  readonly unit?: string;
  /** Of 24 columns. */
  readonly width: number;
  readonly height: number;
  readonly isStacked?: boolean;
  /** From which value on it is red; green below. */
  readonly redFrom?: number;
  /** Below which value it is red; green above. */
  readonly redBelow?: number;
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

const COLUMNS = 24;
const datasource = { type: 'prometheus', uid: '$datasource' };

/** Rows as Grafana lays them out: each panel beside the one before it, or below where it doesn't fit. */
export function layOut(rows: readonly Row[]): object[] {
  let id = 0;
  let y = 0;
  return rows.flatMap((row) => {
    const heading = {
      id: ++id,
      type: 'row',
      title: row.title,
      collapsed: false,
      panels: [],
      gridPos: at(0, y++, COLUMNS, 1),
    };
    let x = 0;
    let deepest = y;
    const panels = row.panels.map((panel) => {
      if (x + panel.width > COLUMNS) [x, y] = [0, deepest];
      const laid = { id: ++id, ...drawn(panel), gridPos: at(x, y, panel.width, panel.height) };
      x += panel.width;
      deepest = Math.max(deepest, y + panel.height);
      return laid;
    });
    y = deepest;
    return [heading, ...panels];
  });
}

function at(x: number, y: number, w: number, h: number): object {
  return { x, y, w, h };
}

function drawn({
  title,
  description,
  type,
  queries,
  unit = 'short',
  isStacked,
  redFrom,
  redBelow,
  columns,
}: Panel): object {
  return {
    type,
    title,
    ...(description ? { description } : {}),
    datasource,
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode(65 + index),
      datasource,
      expr,
      legendFormat: legend ?? '__auto',
      ...(type === 'stat' || type === 'table' ? { instant: true, range: false } : { instant: false, range: true }),
      ...(type === 'table' ? { format: 'table' } : {}),
    })),
    fieldConfig: {
      defaults: {
        unit,
        ...(type === 'state-timeline' ? { mappings: goodAndBad, custom: { fillOpacity: 80 } } : {}),
        ...(type === 'timeseries' && isStacked ? { custom: { stacking: { mode: 'normal' }, fillOpacity: 40 } } : {}),
        ...thresholds(redFrom, redBelow),
      },
      overrides: Object.entries(columns ?? {}).flatMap(([name, url]) => (url ? linkedColumn(name, url) : [])),
    },
    ...(columns ? { transformations: onlyColumns(Object.keys(columns)) } : {}),
    options:
      type === 'stat'
        ? { colorMode: 'value', reduceOptions: { calcs: ['lastNotNull'] } }
        : { legend: { showLegend: true } },
  };
}

function linkedColumn(name: string, url: string): object {
  const links = [{ title: 'Run it now, and show the log', url, targetBlank: true }];
  return { matcher: { id: 'byName', options: name }, properties: [{ id: 'links', value: links }] };
}

function onlyColumns(names: readonly string[]): object[] {
  return [{ id: 'filterFieldsByName', options: { include: { names } } }];
}

const goodAndBad = [
  {
    type: 'value',
    options: { 0: { text: 'bad', color: 'red', index: 0 }, 1: { text: 'good', color: 'green', index: 1 } },
  },
];

function thresholds(redFrom: number | undefined, redBelow: number | undefined): object {
  const value = redFrom ?? redBelow;
  if (value === undefined) return {};
  const [low, high] = redFrom === undefined ? ['red', 'green'] : ['green', 'red'];
  const steps = [
    { color: low, value: null },
    { color: high, value },
  ];
  return { color: { mode: 'thresholds' }, thresholds: { mode: 'absolute', steps } };
}
