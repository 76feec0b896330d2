// Texts of jobs.
import { fmt } from '../core.js';
import { plural } from '../texts.js';

const entities = n => plural(n, 'entity', 'entities');

export const J = {
  title: 'Jobs', sub: 'go on when this window is closed, and after a restart of the server', what: 'the jobs', earlier: 'Earlier', underWay: 'Work under way', all: 'All jobs',
  none: 'No jobs yet', noneText: 'Export, edit, copy or delete all that matches a filter in Tables or Query, import a file, or make a backup.',
  kinds: { count: 'Count', delete: 'Delete by filter', edit: 'Edit by filter', export: 'Export', import: 'Import', copy: 'Copy', backup: 'Backup', verify: 'Verify' },
  states: { waiting: 'waiting', running: 'running', paused: 'paused', failed: 'failed', cancelled: 'cancelled', done: 'done' }, wishes: { paused: 'pausing', cancelled: 'cancelling' }, asks: 'waits for you',
  store: 'whole store', everything: 'all entities', head: ['State', 'Job', 'On', 'Result', 'Amount', 'By', ''],
  amount: j => (j.unit === 'bytes' ? fmt.bytes(j.done) + (j.of ? ' of ' + fmt.bytes(j.of) : '') : fmt.n(j.done) + (j.of !== null && j.of !== undefined ? ` of ${j.exact ? '' : 'about '}${fmt.n(j.of)}` : '')),
  rate: j => (j.unit === 'bytes' ? fmt.bytes(j.rate) : fmt.n(j.rate)) + '/s', left: s => fmt.span(s * 1000) + ' left', progress: kind => 'Progress of ' + kind,
  pause: 'Pause', resume: 'Go on', goOn: 'Go on…', again: 'Go on', cancel: 'Cancel', download: 'Download', remove: 'Remove', open: 'Open', log: 'Log', logNone: 'The log is empty.', details: 'Order', started: 'Ordered', by: 'By', ended: 'Ended',
  parameters: { table: 'Table', filter: 'Filter', property: 'Property', type: 'Type', value: 'Value', format: 'Format', target: 'To table', mode: 'Mode', file: 'File', rate: 'Entities a second' },
  cancelTitle: 'Cancel this job?', cancelText: 'What it has done stays done. A cancelled job cannot go on.', cancelDo: 'Cancel the job', keep: 'Let it run', removed: 'The job was removed from the list.',
  gone: 'This job is not in the list any more. Jobs are kept for 14 days after their end, 100 in all.',
  bulkTitle: filter => (filter ? 'All entities that match' : 'All entities of this table'), bulkText: 'These run in the server as jobs.', match: 'Filter', noFilter: 'No filter: all entities of the table.',
  doExport: 'Export…', doEdit: 'Edit a property…', doCopy: 'Copy to a table…', doCount: 'Count exactly', doDelete: 'Delete…',
  counting: 'Counting what matches', countingNow: n => `${fmt.n(n)} so far`, stopCount: 'Stop',
  deleteTitle: n => `Delete ${entities(n)}?`, deleteDo: n => 'Delete ' + entities(n), deleteStays: 'The table stays, and every entity that does not match when its turn comes. The job does not disturb writers.', noUndo: 'This cannot be undone. Pause or cancel it in Jobs; what was deleted until then is gone.',
  editTitle: n => `Change ${entities(n)}?`, editDo: n => 'Change ' + entities(n), editStays: 'All other properties stay. An entity that has the value already is not written.', editNoUndo: 'The old values are not kept, so this cannot be undone.',
  matches: 'Matches', in: table => 'in ' + table, nothing: 'Nothing matches', nothingText: 'No entity matches this filter. Nothing was changed.',
  editForm: 'Edit a property of all that match', property: 'Property', type: 'Type', value: 'Value', drop: 'Remove the property', next: 'Count and go on',
  exportTitle: name => `Export ${name}`, format: 'Format', formats: { jsonl: 'JSON Lines: every type, any property', csv: 'CSV: for spreadsheets', parquet: 'Parquet: for DuckDB, Spark and pandas' }, guard: 'Put an apostrophe before texts that begin with = + - @, so that a spreadsheet does not run them', unguard: 'Take the apostrophe of an export from texts that begin with \'= \'+ \'- \'@', exportDo: 'Export', exportHow: 'The file is kept for three days. It is not a snapshot: entities that change during the export may be in it as before or as after.', notHere: why => 'Not available here: ' + why,
  copyTitle: name => `Copy ${name}`, target: 'To table', copyHow: 'The table is created if it is not there. An entity with the same keys is replaced.', copyDo: 'Copy',
  importAct: 'Import…', importTitle: 'Import a file into a table', importHow: 'JSON Lines, CSV or Parquet, as Export and lazuli export write them. The table is created if it is not there.', file: 'File', into: 'Table', mode: 'Entities that are there', modes: { replace: 'are replaced', merge: 'keep their other properties' }, importDo: 'Import', uploading: p => `Uploading: ${p} %`, unknownFile: 'The name of the file ends neither with .jsonl nor .csv nor .parquet.',
  backupAct: 'Backup', verifyAct: 'Verify', backupTitle: 'Make a backup now?', backupText: 'It goes to the place that the setting backup-target names, and copies what that place lacks.', verifyTitle: 'Read everything that is stored?', verifyText: 'It reads slowly, and says what is damaged. Nothing is changed.', begin: 'Begin',
  };
