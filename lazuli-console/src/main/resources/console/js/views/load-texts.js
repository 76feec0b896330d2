// Texts of the heat map and of charts.
import { fmt } from '../core.js';
import { plural } from '../texts.js';

const LIMITS = { requests: 'requests', entities: 'entities', bytes: 'bytes' };

export const L = {
  title: 'Load', what: 'the heat map', map: 'Load by ranges of keys and time. Arrow keys move the cursor, Enter opens, Space selects, T shows a table.', role: 'heat map', keys: 'keys, first to last',
  metric: 'Quantity', metrics: { requests: 'Requests', entities: 'Entities', bytes: 'Bytes' }, side: 'Direction', sides: { both: 'Both', reads: 'Reads', writes: 'Writes' },
  span: 'Time', spans: { '1h': '1 h', '6h': '6 h', '24h': '24 h', '14d': '14 d' }, fixed: 'Chosen', earlier: 'Earlier', later: 'Later', now: 'Now', bright: 'Brightness of small values',
  ranges: n => plural(n, 'range', 'ranges'), shownTime: (a, b) => `${a} to ${b} UTC`, adapts: 'rows follow the load', each: t => 'a column is ' + t,
  asTable: 'As table', download: 'Download', formats: [['png', 'PNG picture'], ['svg', 'SVG picture'], ['csv', 'CSV, all figures']], downloadTitle: 'Download the map', downloadText: 'The pictures show what you see. The CSV has a line for each range and period with all six figures.',
  none: 'No load yet', noneText: 'The server counts requests by minute. The first column appears when the minute of the first request has ended.', noneWindow: 'There were no requests in this window.',
  services: { table: 'table', queue: 'queue', blob: 'container' }, all: 'All tables, queues and containers', out: 'Back', open: name => 'Open ' + name, first: 'first key', last: 'last key', about: 'about',
  unit: { requests: v => rate(v) + '/s', entities: v => rate(v) + '/s', bytes: v => fmt.bytes(Math.round(v)) + '/s' },
  cell: { reads: 'reads/s', writes: 'writes/s', entitiesRead: 'entities read/s', entitiesWritten: 'entities written/s', bytesOut: 'bytes out/s', bytesIn: 'bytes in/s' },
  aboutCell: 'Part of a longer range, spread by what is known.', gap: 'No data for a part of this time.',
  said: (where, time, value, metric) => `${where}, ${time}: ${value} ${LIMITS[metric]} per second`, saidSelect: 'Selection begins here. Arrow keys extend it, Space ends it.',
  selection: 'Selection', area: (ranges, from, to) => `${ranges}, ${from} to ${to}`, total: { requests: 'requests', entities: 'entities', bytes: '' }, share: p => `${p} % of what is shown`, zoom: 'Show this time', requests: 'Show these requests', clear: 'Clear',
  tableTitle: 'Busiest ranges', head: ['Table, queue or container', 'Keys from', 'Average', 'Highest', 'When', 'Share'], tableHint: n => `The ${n} busiest of the ranges shown, by average.`,
  diagnoses: 'Diagnoses', whatDiagnoses: 'the diagnoses', healthy: 'Nothing found', healthyText: 'Twelve rules look at every minute, and none of them holds.', levels: { advice: 'advice', warning: 'warning', failing: 'failing' }, since: t => 'since ' + t, over: t => 'over since ' + t, silenced: t => 'quiet until ' + t, bound: x => `bound ${x}`,
  pattern: 'The pattern', quiet: 'Not a problem', silenceDone: 'Quiet for 7 days. It comes back earlier if its main figure doubles.', openData: 'Open it',
  partition: pk => 'Partition ' + pk, partitionNote: (a, b) => `The load is counted by ranges of partitions. These figures are those of the range from ${a} to ${b}, in which the partition is.`, charts: { requests: 'Requests per second', entities: 'Entities per second', bytes: 'Bytes per second' }, reads: 'reads', writes: 'writes', chartAs: { line: 'As chart', table: 'As table' }, time: 'Time', highest: v => 'highest ' + v, chart: (name, hi, at) => `${name}: highest ${hi} at ${at}`,
  csvHead: ['service', 'name', 'from', 'to', 'about', 'time', 'seconds', 'reads/s', 'writes/s', 'entities read/s', 'entities written/s', 'bytes out/s', 'bytes in/s'],
};

function rate(v) {
  return v === 0 ? '0' : v < 0.1 ? v.toFixed(2) : v < 100 ? v.toFixed(1) : fmt.short(v);
}
