// The texts of keys, CORS, logging and the further kinds of signatures, loaded with the view.
export const A = {
  tabs: { sas: 'Shared access signature', policies: 'Stored policies', keys: 'Keys', cors: 'CORS', logging: 'Logging' },
  kinds: { account: 'Account', table: 'Table', queue: 'Queue', container: 'Container', directory: 'Directory', blob: 'Blob', snapshot: 'Snapshot', version: 'Version' },
  resource: { table: 'Table', queue: 'Queue', container: 'Container', directory: 'Directory, as container/path', blob: 'Blob, as container/name', snapshot: 'Blob, as container/name', version: 'Blob, as container/name' },
  at: { snapshot: 'Time of the snapshot', version: 'Id of the version' },
  keysHead: 'Keys of the account', keysText: 'A key opens everything in the account. It is shown for 30 seconds, and a line of the log says who asked.',
  show: 'Show the keys', hide: 'Hide them now', key: n => 'Key ' + n, copyKey: n => 'Copy key ' + n, keysHidden: 'The keys are hidden.',
  corsHead: 'Web pages of other origins', corsText: 'A rule says which pages may call the service from a browser. At most five rules, the first that fits counts.',
  noRules: 'No rules', noRulesText: 'Browsers refuse pages of other origins.', rule: n => 'Rule ' + n, addRule: 'Add a rule', dropRule: n => 'Remove rule ' + n, store: 'Store', stored: 'The settings were stored.',
  fields: { origins: 'Origins', methods: 'Methods', headers: 'Request headers', exposed: 'Answer headers shown', seconds: 'Seconds to remember' },
  loggingHead: 'Request log', loggingText: 'Requests of the chosen kinds are written into the container $logs.', log: { read: 'reads', write: 'writes', delete: 'deletes' },
  days: 'Days to keep', ever: 'for ever', metrics: { hour: 'Counts by hour', minute: 'Counts by minute' }, on: 'count requests', apis: 'also by operation',
};
