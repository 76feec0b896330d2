// Every text of the console. Plain words, sentence case; buttons are verbs. A translation is another file like this one.
import { fmt } from './core.js';

export const plural = (n, one, many) => fmt.n(n) + ' ' + (n === 1 ? one : many);
const entities = n => plural(n, 'entity', 'entities');
const messages = n => plural(n, 'message', 'messages');

export const T = {
  name: 'Lazuli',
  close: 'Close',
  cancel: 'Cancel',
  keep: 'Keep',
  again: 'Again',
  stop: 'Stop',
  stopped: 'Stopped. Nothing was changed.',
  loading: 'Loading',
  create: 'Create',
  remove: 'Delete',
  about: 'about',
  utc: 'UTC',
  none: 'none',
  unknown: 'not known',
  javaCode: 'Java code',
  reading: what => `Reading ${what} takes longer than usual.`,
  copied: what => (what ? `Copied: ${what}.` : 'Copied.'),
  copyByHand: 'Copy this text by hand',
  opened: what => what + ' opened',
  nameLabel: 'Name',
  entities,
  messages,
  estimate: c => (!c || c.n === null || c.n === undefined ? 'not known' : (c.exact ? '' : 'about ') + fmt.n(c.n)),

  nav: {
    groups: { data: 'Data', understand: 'Understand', work: 'Work' },
    overview: 'Overview', tables: 'Tables', queues: 'Queues', blobs: 'Blobs', query: 'Query', load: 'Load', live: 'Live', cost: 'Cost', model: 'Model', jobs: 'Jobs', access: 'Access', server: 'Server',
  },
  shell: {
    path: 'Path', views: 'Views', mainViews: 'Main views', menu: 'Open the menu', closeMenu: 'Close the menu', find: 'Go to or find', findKey: 'Ctrl K',
    light: 'Switch to light', dark: 'Switch to dark', user: 'You', account: name => 'Account ' + name, noAccount: 'No account chosen',
    jobsOpen: 'not over', healthy: 'Connected', noAnswer: 'No answer', singleKeys: 'Single letters are shortcuts',
    all: { tables: 'All tables…', queues: 'All queues…', containers: 'All containers…' },
  },
  line: {
    offline: 'The server does not answer. The page keeps what it shows and tries again by itself.',
    readOnly: 'The store takes no writes. Reading works; editing is switched off here.',
    rehearsing: 'The server rehearses: it can answer with faults on purpose.',
    notDurable: 'This server keeps its data in memory. It is gone when the server stops.',
    open: 'Nobody has to sign in: the server runs with --console-open.',
  },
  palette: {
    label: 'Go to', matches: 'Matches', hint: 'A table, queue, container or view', view: 'view', account: 'account', goTo: x => 'Go to ' + x, none: q => `Nothing begins with “${q}”.`,
    only: { tables: 'Which table', queues: 'Which queue', containers: 'Which container', accounts: 'Which account' },
    kinds: { tables: 'table', queues: 'queue', containers: 'container' },
  },
  session: { user: 'Signed in as', role: 'Role', ends: 'Ends', signOut: 'Sign out everywhere', openUser: 'nobody in particular' },
  signIn: {
    title: 'Sign in', how: 'A link that works once signs you in. The server prints it at its start, and this command prints a new one:', link: 'Link or code', linkHint: 'http://127.0.0.1…#…',
    withLink: 'Sign in with the link', byPassword: 'With a name and a password', user: 'Name', password: 'Password', enter: 'Sign in',
  },
  keys: {
    title: 'Keys', head: ['Keys', 'Where', 'What'],
    rows: [
      ['Ctrl K', 'everywhere', 'go to or find'], ['g then o t q b y l r c m j a s', 'outside fields', 'overview, tables, queues, blobs, query, load, requests, cost, model, jobs, access, server'], ['/', 'outside fields', 'into the filter'], ['?', 'outside fields', 'this list'],
      ['arrows, PgUp, PgDn, Home, End', 'grid', 'move'], ['Enter', 'grid', 'open'], ['F2', 'grid', 'edit'], ['Delete', 'grid', 'delete, asks first'], ['Ctrl C', 'grid', 'copy the cell'],
      ['Space, Shift with arrows, Ctrl A', 'grid', 'choose rows'], ['Ctrl S', 'grid, panel', 'commit'], ['Ctrl Z', 'grid', 'undo the last change that is not sent'],
      ['arrows, Shift with arrows', 'heat map', 'move the cursor, by ten'], ['Enter, Esc', 'heat map', 'open the table or partition, go back'], ['Space', 'heat map', 'begin and end a selection'], ['T', 'heat map', 'as table'], ['[ ]', 'heat map', 'earlier, later'], ['P, E', 'live', 'pause, next error'],
      ['Ctrl Space', 'filter', 'complete'], ['Tab, Enter', 'filter', 'take what is proposed'], ['Ctrl Enter', 'filter', 'run'], ['Esc', 'layers, panel', 'close'],
    ],
  },
  error: {
    unknown: 'Something failed, and the server did not say what.',
    noAnswer: 'The server did not answer. Nothing was changed.',
    unsure: 'The server did not answer. The change may have been made, or not: look before you try again.',
    noJson: 'The answer is not from the console’s server. A proxy may have sent it.',
    status: n => `The server answered with status ${n} and gave no reason.`,
    failed: 'This did not work.', refused: 'Not allowed.', gone: 'It is not there', notFound: 'Nothing is here', start: 'To the start',
    noAccount: name => `There is no account “${name}”.`, noView: 'No view has this address.',
    newer: 'A part of the console could not be loaded. A newer one may be installed: load the page again.',
  },

  types: { String: 'String', Int32: 'Int32', Int64: 'Int64', Double: 'Double', Boolean: 'Boolean', DateTime: 'DateTime', Guid: 'Guid', Binary: 'Binary' },
  value: {
    absent: 'not there', emptyText: 'empty text', cut: n => `cut; ${fmt.n(n)} in all`, bytes: n => fmt.bytes(n), hidden: marks => `Has characters that cannot be seen: ${marks}`, local: t => 'local time: ' + t,
    wrong: {
      Int32: 'A whole number from −2,147,483,648 to 2,147,483,647 is expected.', Int64: 'A whole number of at most 64 bits is expected.', Double: 'A number is expected, or NaN, Infinity, -Infinity.',
      Boolean: 'true or false is expected.', DateTime: 'A time such as 2026-11-16T22:12:05.1234567Z is expected.', Guid: 'A GUID such as c9da6455-213d-42c9-9a79-3e9149a57833 is expected.', Binary: 'Base64 is expected.',
    },
  },

  tables: {
    bulk: 'All that match…',
    title: 'Tables', head: ['Name', 'Entities'], none: 'No tables yet', noneText: 'Create one here, or point an SDK at this account: createTableIfNotExists("Employees").', create: 'Table',
    createTitle: 'Create a table', createHint: '3 to 63 letters and digits; begins with a letter.', created: name => `Table ${name} was created.`,
    deleteTitle: name => `Delete table ${name}?`, deleteText: 'All its entities go with it. This cannot be undone.', typeName: 'Type the name of the table', deleted: name => `Table ${name} was deleted.`, deleteAll: 'Delete the table',
    query: 'Query', entity: 'Entity', columns: 'Columns', apply: 'Apply', filter: 'Filter', filterHint: "PartitionKey eq 'Sales' and RowKey ge 'empid_0001'", more: 'More',
    browsing: 'Browsing in key order', gridLabel: name => 'Entities of ' + name, jsonLabel: 'Entities as JSON', view: 'Show as', grid: 'Grid', json: 'JSON', reload: 'Read again',
    firstPage: 'the first page', empty: 'No entities yet', emptyText: 'Add the first one here, or insert it with an SDK.',
    noMatch: 'No entity matches', noMatchText: n => `${entities(n)} ${n === 1 ? 'was' : 'were'} read. Texts compare by case; a number is not a text; Int64 values end with L.`, clear: 'Clear the filter',
    status: (first, last, all, cols) => `Rows ${fmt.n(first)} to ${fmt.n(last)} of ${all} · ${plural(cols, 'property', 'properties')} seen`,
    known: (n, end) => (end ? fmt.n(n) : fmt.n(n) + ' or more'), served: ms => 'page in ' + fmt.ms(ms), scanning: n => `Looked at ${fmt.n(n)} so far.`,
    chosen: n => entities(n) + ' chosen', deleteChosen: n => 'Delete ' + entities(n), copyChosen: 'Copy as JSON', unchoose: 'Choose none',
  },
  columns: { title: 'Columns', search: 'Find a property', all: 'Show all', none: 'Hide all', hint: 'Keys are always shown. Hidden columns are remembered for this table.' },
  entity: {
    panel: 'Entity', fields: 'Fields', json: 'JSON', address: 'Address', as: 'Entity as', copy: 'Copy as JSON', close: 'Close the panel', clone: 'Clone', replace: 'Replace…', remove: 'Delete', property: 'Property', wrap: 'Wrap', whole: 'the whole entity',
    inCode: 'In code', onWire: 'On the wire', thisView: 'This view', resize: 'Width of the panel',
    gone: 'This entity is not there any more.', addTitle: 'Add an entity', cloneTitle: 'Clone an entity', insert: 'Insert', pk: 'PartitionKey', rk: 'RowKey', addProperty: 'Add a property', propertyName: 'Name', type: 'Type', value: 'Value', add: 'Add', dropProperty: name => 'Remove ' + name,
    nameHint: 'A letter or _ first, then letters, digits or _; at most 255.', badName: 'A property cannot have this name.', twice: name => `${name} is there twice.`, reserved: 'Keys and Timestamp cannot be set like a property.',
    replaceTitle: 'Replace the entity', replaceText: 'Merge keeps properties that you do not send. Replace drops them.', jsonHint: 'Properties as JSON. Values other than text, Int32 and Boolean as {"t":"Int64","v":"5"}.', badJson: 'This is not an object in JSON.', replaceDo: 'Replace', mergeDo: 'Merge',
    inserted: 'The entity was inserted.', replaced: 'The entity was replaced.', merged: 'The entity was merged.', deleted: n => entities(n) + (n === 1 ? ' was' : ' were') + ' deleted.',
    deleteTitle: n => `Delete ${entities(n)}?`, deleteOne: (pk, rk) => `${pk} / ${rk}. It is deleted only if nobody changed it since you read it. This cannot be undone.`, deleteMany: 'Each is deleted only if nobody changed it since you read it. This cannot be undone.', deleteDo: n => 'Delete ' + entities(n),
    upload: 'Choose a file', download: 'Download', changed: (name, v) => `${name}, ${v}, changed, not sent`,
  },
  staged: {
    bar: (changes, n) => [plural(changes, 'change', 'changes'), ` in ${entities(n)}, not sent yet`], discard: 'Discard', commit: 'Commit', undo: 'Undo', commitKey: 'Ctrl S',
    one: '', same: n => `These ${fmt.n(n)} changes are in one partition: they go as one transaction.`, apart: n => `These changes are in ${fmt.n(n)} partitions, and no transaction spans partitions. They go one by one; if one fails, those before it stay.`,
    many: n => `${fmt.n(n)} entities are more than a transaction takes (100). They go one by one; if one fails, those before it stay.`,
    sent: n => entities(n) + (n === 1 ? ' was' : ' were') + ' stored.', leaveTitle: 'Leave with changes that are not sent?', leaveText: n => `${plural(n, 'change', 'changes')} would be lost.`, stay: 'Stay', leave: 'Leave and lose them', partly: n => `${entities(n)} ${n === 1 ? 'was' : 'were'} stored before this one failed.`,
  },
  conflict: {
    title: 'Somebody changed this entity', text: (pk, rk) => `${pk} / ${rk} was changed after you read it. Nothing was written.`, goneTitle: 'Somebody deleted this entity', gone: (pk, rk) => `${pk} / ${rk} was deleted after you read it. Nothing was written.`,
    head: ['Property', 'When you read it', 'Yours', 'Stored now'], unchanged: 'unchanged', removed: 'removed', theirs: 'Take theirs', merge: 'Merge mine into theirs', drop: 'Drop my changes', insert: 'Insert mine anew',
  },

  query: {
    title: name => 'Query ' + name, choose: 'Choose a table', run: 'Run', runKey: 'Ctrl Enter', stop: 'Stop', history: 'History', save: 'Save', saved: 'Saved', select: 'Properties', selectHint: 'all', top: 'At most', topHint: 'all', result: 'Result', as: 'Result as',
    hint: 'Ctrl Space completes. Ctrl Enter runs.', editor: 'Filter', completions: 'Completions', lines: 'Lines',
    notRun: 'Not run yet', notRunText: 'Explain shows what the filter costs. Ctrl Enter runs it.', found: (n, end) => (end ? entities(n) : `${fmt.n(n)} entities or more`), read: n => 'read ' + fmt.n(n), runAnyway: 'Run', costs: n => `This reads about ${fmt.n(n)} entities.`, costsTitle: 'Run this query?',
    saveTitle: 'Save the query', savedAs: name => `Saved as ${name}.`, historyTitle: 'History and saved queries', historyNone: 'Nothing was run in this browser yet.', use: 'Use', drop: 'Remove', search: 'Find in history', exported: 'Export', imported: 'Import', importBad: 'This file has no saved queries.',
    prefix: 'Starts with…', contains: 'Contains…', prefixTitle: 'Starts with', containsTitle: 'Contains', prefixOf: 'Key', partition: 'In partition', begins: 'Begins with', becomes: 'It becomes', insert: 'Take it', containsText: 'Text', containsHow: 'The protocol has no “contains”: the console reads every entity that the filter allows and looks into its keys and texts.', containsRun: 'Search', containsOn: t => `contains “${t}”`, containsOff: 'Search without “contains”',
    prefixHow: 'A range from the text to the next one after it. It reads only what it returns.', export: 'Export what is loaded', exportThis: 'Export exactly this…', delete: 'Delete these…', columns: 'Columns', kinds: { key: 'key', operator: 'compares', word: 'joins', literal: 'value', value: 'value' },
    operators: { eq: 'equal', ne: 'not equal', gt: 'greater', ge: 'greater or equal', lt: 'less', le: 'less or equal' }, share: x => Math.round(x * 100) + ' %',
    literals: { String: "'text'", Int32: '5', Int64: '5L', Double: '5.0', Boolean: 'true', DateTime: "datetime'2026-11-16T00:00:00Z'", Guid: "guid'00000000-0000-0000-0000-000000000000'", Binary: "X'00ff'" },
  },
  explain: {
    title: 'Explain', asHttp: 'As HTTP', wrong: 'This filter cannot be read.', help: "Texts stand in single quotes, a quote inside is doubled. Int64 values end with L. Times: datetime'2026-11-16T00:00:00Z'.", soFar: 'so far', measured: 'measured', estimate: 'before running: estimate',
    ladder: 'Kinds of query from cheap to dear', steps: [['point', 'Point', 'one'], ['range', 'Range', 'few'], ['pscan', 'Partition', 'all of it'], ['tscan', 'Table', 'everything']], seeks: 'Lookups',
    read: (r, m) => ['Read ', r, ', return ', m], vain: 'nothing read in vain', each: n => `${fmt.n(n)} read for each returned`, share: p => `share of what is read that is returned: ${p} %`, partitions: 'Partitions', ranges: 'Key ranges', moreRanges: n => `and ${fmt.n(n)} more`, rest: 'Left to check', nothing: 'nothing', cost: 'Bytes, time', azure: 'On Azure', basis: 'Figures', pattern: 'The pattern', all: 'all', start: 'start', end: 'end', to: 'to', below: 'below', none: 'Nothing to read', unknown: 'not known before it runs', upTo: n => 'at most ' + fmt.n(n), kinds: { none: 'Nothing to read', point: 'Point query', seeks: 'Lookups', range: 'Range query', 'partition scan': 'Partition scan', 'table scan': 'Table scan' }, reads: n => 'reads ' + n,
  },

  queues: {
    title: 'Queues', head: ['Name', 'Messages'], none: 'No queues yet', noneText: 'Create one here, or point an SDK at this account.', create: 'Queue', createTitle: 'Create a queue', createHint: '3 to 63 small letters, digits and single hyphens.', created: name => `Queue ${name} was created.`,
    states: { all: 'All', visible: 'Visible', hidden: 'Hidden', expired: 'Expired' }, state: { visible: 'visible', hidden: 'hidden', expired: 'expired' }, search: 'Search in all bodies', label: name => 'Messages of ' + name,
    columns: { state: 'State', id: 'Id', inserted: 'Inserted', visible: 'Visible again', expires: 'Expires', taken: 'Taken', body: 'Body' }, never: 'never', passed: 'passed', in: t => 'in ' + t,
    empty: 'No messages', emptyText: 'Put the first one here, or with an SDK. Hidden and expired messages are shown, too.', noMatch: 'No message matches', noMatchText: n => `${messages(n)} ${n === 1 ? 'was' : 'were'} looked at.`, looked: n => `looked at ${fmt.n(n)}`, foot: 'Read from the store without taking them', shown: (n, end) => (end ? messages(n) : fmt.n(n) + ' messages or more'),
    purge: 'Purge', purgeTitle: name => `Delete all messages of ${name}?`, purgeText: n => `${n} messages go, hidden ones too. Workers that hold one can finish, but cannot delete it. This cannot be undone.`, typeName: 'Type the name of the queue', purgeDo: 'Delete all messages', purged: 'All messages were deleted.',
    requeue: 'Requeue…', requeueTitle: name => `Move messages of ${name}`, requeueText: 'Visible messages are put into the other queue and then deleted here, 100 at a time. Hidden and expired ones stay.', target: 'To queue', requeueDo: 'Move', moved: n => messages(n) + (n === 1 ? ' was' : ' were') + ' moved.', moving: n => `Moved ${fmt.n(n)} so far.`,
    put: 'Message', putTitle: 'Put a message', body: 'Body', base64: 'Send as base64', delay: 'Hidden for, seconds', ttl: 'Lives, hours (empty: for ever)', putDo: 'Put', sent: 'The message was put.',
    remove: 'Delete the queue', removeTitle: name => `Delete queue ${name}?`, removeText: 'All its messages go with it. This cannot be undone.', removed: name => `Queue ${name} was deleted.`,
  },
  message: {
    panel: 'Message', decoded: 'Decoded', sent: 'As sent', as: 'Body as', state: 'State', inserted: 'Inserted', visible: 'Visible from', expires: 'Expires', taken: 'Taken', times: n => plural(n, 'time', 'times'), size: 'Size', form: { json: 'JSON', text: 'text', xml: 'XML', 'base64 json': 'base64 of JSON', 'base64 text': 'base64 of text', 'base64 xml': 'base64 of XML', 'base64 bytes': 'base64 of bytes' },
    calm: 'Looking at a message here changes nothing: it stays where it is and is not counted as taken.', copy: 'Put a copy', show: 'Make visible', shown: 'The message is visible now.', move: 'Move to…', remove: 'Delete', removeTitle: 'Delete this message?', removeText: 'A worker that holds it can finish, but cannot delete it. This cannot be undone.', removed: 'The message was deleted.', gone: 'This message is not there any more.', cut: 'The body is cut here; the panel shows all of it.', toVisible: t => ', visible again in ' + t,
  },

  blobs: {
    title: 'Containers', head: ['Name', 'Changed', 'Access', 'Lease'], none: 'No containers yet', noneText: 'Create one here, or point an SDK at this account.', create: 'Container', createTitle: 'Create a container', createHint: '3 to 63 small letters, digits and single hyphens.', created: name => `Container ${name} was created.`,
    access: { none: 'private', blob: 'blobs are public', container: 'public' }, label: name => 'Blobs of ' + name, columns: ['Name', 'Size', 'Kind', 'Changed'], prefix: 'Begins with', flat: 'Flat', snapshots: 'Snapshots', versions: 'Versions', deletedOnes: 'Deleted', folder: 'Folder', upload: 'Upload', up: 'One folder up',
    empty: 'No blobs here', emptyText: 'Drop files on this list, or choose them with Upload.', noMatch: 'No blob begins so', noMatchText: 'Names compare by case.', drop: where => `Drop files here to upload them to ${where}`, count: (n, end) => (end ? plural(n, 'item', 'items') : fmt.n(n) + ' items or more') + ' here', leased: 'leased', snapshot: 'snapshot', version: 'version', deleted: 'deleted',
    remove: 'Delete the container', removeTitle: name => `Delete container ${name}?`, removeText: 'All its blobs go with it. This cannot be undone.', typeName: 'Type the name of the container', removed: name => `Container ${name} was deleted.`,
    overTitle: n => (n === 1 ? 'A blob has this name already' : 'Blobs have these names already'), over: 'Replace', skip: 'Skip those', uploading: (name, p) => `${name}: ${p} %`, uploaded: n => plural(n, 'blob was', 'blobs were') + ' uploaded.', uploadFailed: (name, why) => `${name} was not uploaded. ${why}`, uploads: 'Uploads',
  },
  blob: {
    panel: 'Blob', preview: 'Preview', bytes: 'Bytes', properties: 'Properties', as: 'Blob as', size: 'Size', sizeOf: n => `${fmt.bytes(n)} (${fmt.n(n)} bytes)`, type: 'Type', kind: k => k + ' blob', etag: 'ETag', md5: 'MD5', lease: 'Lease', tier: 'Tier', created: 'Created', changed: 'Changed', blocks: 'Blocks', encoding: 'Encoding', language: 'Language', disposition: 'Disposition', cacheControl: 'Cache control', snapshot: 'Snapshot', version: 'Version',
    tags: 'Tags', metadata: 'Metadata', edit: 'Edit…', editTitle: 'Properties of the blob', pairsHint: 'One a line: name = value', badPair: t => `This line has no “=”: ${t}`, save: 'Save', saved: 'The properties were stored.', download: 'Download', makeSnapshot: 'Snapshot', snapshotMade: 'A snapshot was made.', breakLease: 'Break the lease', broken: 'The lease was broken.', leaseTitle: 'Break the lease?', leaseText: 'Who holds it can no longer write with it.', remove: 'Delete', removeTitle: name => `Delete ${name}?`, removeText: 'This cannot be undone, unless the container keeps deleted blobs.', withSnapshots: 'With its snapshots', removed: 'The blob was deleted.', cut: n => `The first ${fmt.bytes(n)} are shown.`, image: 'Picture', notShown: 'These bytes are neither text nor a picture that can be shown. The tab Bytes has them.', emptyBlob: 'The blob is empty.', gone: 'This blob is not there any more.',
  },

  overview: {
    accounts: 'Accounts', accountsHead: ['Name'], noAccounts: 'No accounts', noAccountsText: 'Add one with lazuli account add.', tiles: { requests: 'Requests', errors: 'Errors', p99: 'Server time, p99', tables: 'Tables', queues: 'Queues', containers: 'Containers', stored: 'Stored' }, perSecond: '/s', allAccounts: 'of all accounts', ofRequests: x => `${x} % of the requests`, since: t => 'at ' + t, health: 'Health', newQuery: 'New query', tablesCard: 'Tables', queuesCard: 'Queues', containersCard: 'Containers', all: 'All', estimates: '“about” marks estimates', line: 'the last minutes', what: 'the account',
    attention: 'Needs attention', work: 'Work under way', count: 'Count exactly', countOf: name => `Count ${name} exactly`, hour: 'Requests of this account in the last hour', reads: 'reads', writes: 'writes',
    first: 'Nothing is stored yet', firstText: 'Create a table, a queue or a container here, or point an SDK at this account.',
  },
  access: {
    title: 'Access', make: 'Make a token', allows: 'What it allows', kind: 'For', may: 'May',
    permissions: { r: 'read', a: 'add', u: 'change', d: 'delete', p: 'process', c: 'create', w: 'write', l: 'list', x: 'delete versions', t: 'tags' }, services: 'Services', serviceNames: { b: 'blobs', q: 'queues', t: 'tables' }, levels: 'Levels', levelNames: { s: 'service', c: 'container, table, queue', o: 'objects' },
    fromPartition: 'From partition key', toPartition: 'To partition key', fromRow: 'From row key', toRow: 'To row key', first: 'first', last: 'last', hours: 'Ends in, hours', ip: 'Only from address', any: 'any', https: 'https only', policy: 'Stored access policy', noPolicy: 'none', sign: 'Make the token', notYet: 'No token yet', notYetText: 'Choose what it may do, then make it. It is shown once and not stored.', token: 'Token', url: 'URL', copyUrl: 'Copy URL', copyToken: 'Copy token', tried: 'Tried on this server', allowed: 'allowed', refused: '403', once: 'The token is shown once. It is neither stored nor logged.', changedForm: 'The form has changed since this token was made.',
    service: 'Service', services3: { table: 'Tables', queue: 'Queues', blob: 'Blobs' }, policyName: 'Table, queue or container', policyHead: ['Id', 'From', 'To', 'May', ''], addPolicy: 'Policy', savePolicies: 'Store policies', policiesSaved: 'The policies were stored.', noPolicies: 'No stored policies', noPoliciesText: 'A token that names a policy can be taken back by removing the policy. At most five.', from: 'From', to: 'To', id: 'Id', dropPolicy: id => 'Remove policy ' + id, readPolicies: 'Show',
  },
  server: { title: 'Server', health: 'Health', engine: 'Engine', version: 'Version', durable: 'Durable', writable: 'Takes writes', rehearsing: 'Rehearses faults', yes: 'yes', no: 'no', bounds: 'Bounds of the console', boundHead: ['Bound', 'Value'], you: 'You', signInEnds: 'Session ends', idle: 'Ends when idle for', what: 'the server',
    limits: { pageRows: 'Rows of a page', pageBytes: 'Bytes of a page', pageMillis: 'Milliseconds of scanning for a page', filterChars: 'Characters of a filter', comparisons: 'Comparisons of a filter', blockBytes: 'Bytes of a block', transactionChanges: 'Changes of a transaction', messageBytes: 'Bytes of a message', rowBytes: 'Bytes of a row before values are cut', streams: 'Streams of events', requeueMessages: 'Messages of one move' } },
};
