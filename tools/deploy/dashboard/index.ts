import { layOut } from './panel.ts';
import { rows } from './rows.ts';

/** A variable whose values are those that a label has. */
function chosenBy(name: string, from: string): object {
  return {
    name,
    label: name,
    type: 'query',
    datasource: { type: 'prometheus', uid: '$datasource' },
    query: { query: `label_values(${from}, ${name})`, refId: name },
    definition: `label_values(${from}, ${name})`,
    refresh: 2,
    sort: 1,
    multi: true,
    includeAll: true,
    // Also what has no such label, as `location` where there is one.
    allValue: '.*',
    current: { selected: true, text: ['All'], value: ['$__all'] },
  };
}

/** The dashboard for Grafana 10 or newer. */
export function dashboard(): object {
  return {
    uid: 'sextant',
    title: 'Sextant',
    tags: ['sextant'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '1m',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'browser',
    templating: {
      list: [
        { name: 'datasource', label: 'data source', type: 'datasource', query: 'prometheus', refresh: 1 },
        chosenBy('location', 'sextant_probe_judged'),
        chosenBy('environment', 'sextant_probe_judged'),
        chosenBy('area', 'sextant_probe_judged{environment=~"$environment"}'),
        chosenBy('scenario', 'sextant_probe_judged{environment=~"$environment", area=~"$area"}'),
      ],
    },
    annotations: {
      list: [
        {
          name: 'Alerts',
          enable: true,
          iconColor: 'red',
          datasource: { type: 'prometheus', uid: '$datasource' },
          expr: 'ALERTS{alertname=~"Sextant.*", alertstate="firing", severity="page"}',
          titleFormat: '{{alertname}}',
          textFormat: '{{environment}} {{area}} {{scenario}}',
        },
      ],
    },
    panels: layOut(rows),
  };
}
