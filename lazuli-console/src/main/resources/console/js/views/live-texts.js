// Texts of the recent requests.
import { fmt } from '../core.js';

export const V = {
  title: 'Live requests', what: 'the requests', tabs: { requests: 'Requests', shapes: 'Dearest shapes', errors: 'Errors' }, as: 'Show',
  state: { open: 'connected', wait: 'connecting again', off: 'not connected' }, jsonLines: 'JSON lines', pause: 'Pause', goOn: 'Go on', waiting: n => `${fmt.n(n)} new`, nextError: 'Next error', noError: 'None of the requests shown is an error.',
  which: 'Which requests', status: { all: 'All', errors: 'Errors', slow: 'Slow' }, filter: 'Filter requests', filterHint: 'Table, caller, kind, code', list: 'Requests, the newest first',
  head: { time: 'Time', status: 'Status', request: 'Request', kind: 'Kind', read: 'Read, returned', ms: 'ms', caller: 'Caller' },
  share: n => (n > 1 ? `Every error, every scan, every request of 100 ms or more, and 1 of ${fmt.n(n)} others` : 'All requests, at most 200 a second'), kept: n => `${fmt.n(n)} kept here`,
  none: 'No requests yet', noneText: 'Requests of clients appear here as they end. What the console itself reads is left out.', noMatch: 'No request matches', noMatchText: n => `${fmt.n(n)} requests were looked at.`,
  panel: 'Request', details: 'Request', why: status => 'Why ' + status, whatWhy: 'the reason', at: 'Ended at', code: 'Error code', operation: 'Operation', service: 'Service', plan: 'Plan', readReturned: 'Read, returned', serverTime: 'Server time', bytes: 'Bytes in, out', peer: 'Caller', agent: 'Client', id: 'Request id', copyId: 'Copy the request id', standsFor: n => `It stands for ${fmt.n(n)} requests like it.`, noAgent: 'not named',
  gone: 'Not kept any more', goneText: 'The server keeps the last 2,000 requests, up to 1 MiB.', adminOnly: 'An administrator can ask why this request was refused.',
  whySecret: 'Only administrators see this. The caller gets the same 403 for every mistake.', scheme: 'Scheme', fieldHead: ['Field', 'The server signs'], fields: 'What the server signs, field by field', checked: 'Also found', emptyField: 'empty', whyGone: 'The head of this request is not kept any more. The server keeps those of the last 200 refusals.',
  shapesNone: 'No queries yet', shapesNoneText: 'A shape is a filter without its values. Those that took most of the server’s time come first.', shapesHead: ['Table', 'Shape, values left out', 'Kind', 'Runs', 'Read each', 'Returned', 'ms, p50', 'ms, p99', 'Share of time'], explain: 'Explain', whatShapes: 'the shapes', sharesOf: p => p + ' %',
  errorsNone: 'No errors in the last hour', errorsNoneText: 'Answers from 400 on are counted by their code.', errorsHead: ['Status', 'Code', 'Service', 'Operation', 'In an hour', 'Last'], whatErrors: 'the errors', openLast: id => 'Open the last one, ' + id,
};
