// Texts of the cost view.
import { fmt } from '../core.js';

export const C = {
  title: 'Cost', what: 'operations and sizes', sub: 'what this account would cost on Azure, from what was counted here',
  span: 'Time', spans: { '24h': '24 h', '7d': '7 d', '30d': '30 d', '90d': '90 d' }, chosen: 'Chosen', from: 'From', to: 'To (last day)', days: 'Choose days', show: 'Show', wrongDays: 'The last day must not be before the first, and there can be at most 400 days.',
  by: 'Group by', bys: { space: 'Table, queue, container', kind: 'Kind of operation', service: 'Service' },
  compare: 'Compare with', compares: { '': 'nothing', previous: 'the period before' }, compareDay: 'the period from', before: 'Before', change: 'Change',
  kinds: { read: 'Read', query: 'Query, list', scan: 'Scan', insert: 'Insert', write: 'Change', batch: 'Transaction', delete: 'Delete', take: 'Take messages' },
  services: { table: 'Tables', queue: 'Queues', blob: 'Blobs' }, one: { table: 'table', queue: 'queue', blob: 'container' }, rest: 'all others',
  operations: 'Transactions', operationsBy: (by, step) => `Transactions by ${by} and ${step}`, byName: { space: 'name', kind: 'kind', service: 'service' }, steps: { hour: 'hour', day: 'day' },
  stored: 'Stored', storedTitle: 'Stored bytes by day', figures: 'Figures',
  exact: 'exact', exactTitle: 'Every request was counted.', measured: 'measured', estimate: 'estimate',
  tiles: { operations: 'Transactions', stored: 'Stored now', window: 'This window', month: 'A month like this' },
  counted: (a, b) => `exact, counted ${a} to ${b} UTC`, countedNone: 'nothing was counted in this window', incomplete: 'There is more than one answer can read. Choose a shorter time: these figures are too small.',
  measuredAt: t => `measured at ${t} UTC`, measuring: 'being measured', notMeasured: 'not measured yet',
  windowHow: span => `estimate: counted transactions, and ${span} of storage`, monthHow: span => `estimate: 30 days at the rate of ${span}`,
  head: { space: 'Name', kind: 'Kind', service: 'Service', operations: 'Transactions', scans: 'of them scans', stored: 'Stored', storage: 'Storage a month', ops: 'Transactions a month', month: 'A month' }, all: 'All',
  note: 'Transactions are counted one by one: every request for a table, queue or container, also one that failed with a conflict or because the server was busy. Requests of the console and of the server itself are not counted. Sizes are measured by reading everything, with Azure’s formulas. Money is always an estimate: prices × these figures, without the transfer of data and without reservations.',
  prices: 'Prices', pricesNote: 'Example prices: US dollars, East US, locally redundant, blobs in the hot tier, as of January 2024. They are not looked up. Enter those of your contract; they stay in this browser.', pricesOwn: t => `Your prices, entered on ${t}. They stay in this browser.`, currency: 'Currency', gib: 'Stored, per GiB and month', per: 'Per 10,000', reset: 'Back to the examples',
  classes: { read: 'Reads', list: 'Queries, lists', write: 'Writes', delete: 'Deletes' }, wrongPrice: 'A price is a number that is not negative.', priceOf: (what, service) => what + ', ' + service,
  compared: (span, from, to) => `Compared with ${from} to ${to} (${span}).`, more: (p, what) => `${p} more ${what}`, fewer: (p, what) => `${p} fewer ${what}`, same: what => 'as many ' + what, fromNothing: 'there were none before',
  none: 'Nothing was counted yet', noneText: 'The server counts requests by minute. The first figures appear when the minute of the first request has ended.',
  download: 'Download', downloadTitle: 'Download the figures', downloadText: 'The pictures show the transactions. The CSV has a line for each name, kind and period, and the sizes.', formats: [['csv', 'CSV, all figures'], ['svg', 'SVG picture'], ['png', 'PNG picture']],
  csvHead: ['service', 'name', 'figure', 'basis', 'from', 'seconds', 'value'],
  chart: (title, all, hi, at) => `${title}: ${all} in all, highest ${hi} at ${at}`,
  money: (x, unit) => (x === 0 ? '0' : x < 0.01 ? x.toPrecision(2) : x < 100 ? x.toFixed(2) : fmt.n(x)) + ' ' + unit,
};
