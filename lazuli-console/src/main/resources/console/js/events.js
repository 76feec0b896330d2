// One stream of events per tab, for all views, closed while the tab is hidden. Without a stream the views ask every 10 s.
import { store } from './core.js';
import { get, path, BASE } from './api.js';

const POLL = 10_000;
const OVER = ['done', 'cancelled', 'failed'];

/** How many jobs of the account are not over. */
export const jobsOpen = store(0);

let account = null;
let source = null;
let timer = 0;
let summary = null;
const jobs = new Map();
const readers = new Set();
const tell = (name, value) => [...readers].forEach(r => r[name]?.(value));

function connect() {
  if (!account || document.hidden || source) return;
  source = new EventSource(BASE + '/events?account=' + encodeURIComponent(account));
  source.addEventListener('summary', e => {
    clearInterval(timer);
    summary = JSON.parse(e.data);
    jobsOpen.set(jobs.size);
    tell('summary', summary);
  });
  source.addEventListener('job', e => {
    const j = JSON.parse(e.data);
    if (OVER.includes(j.state)) jobs.delete(j.id);
    else jobs.set(j.id, j);
    if (summary) jobsOpen.set(jobs.size);
    tell('job', j);
  });
  source.onopen = () => {
    // The stream begins with the open jobs and a summary.
    jobs.clear();
    summary = null;
    tell('opened');
  };
  source.onerror = () => {
    // The browser tries again by itself unless the server refused.
    if (!source || source.readyState !== EventSource.CLOSED) return;
    source = null;
    tell('ask');
    clearInterval(timer);
    timer = setInterval(() => {
      tell('ask');
      connect();
    }, POLL);
  };
}

function disconnect() {
  source?.close();
  source = null;
  clearInterval(timer);
}

document.addEventListener('visibilitychange', () => (document.hidden ? disconnect() : connect()));

/** Follows an account; null ends the stream. */
export function follow(name) {
  if (name === account) return;
  disconnect();
  account = name;
  summary = null;
  jobs.clear();
  jobsOpen.set(0);
  connect();
}

function read(reader) {
  readers.add(reader);
  return () => readers.delete(reader);
}

/** Calls `take(summary)` as summaries come, and `job(job)` as jobs change, at first with what is known. Gives what ends it. */
export function summaries(a, take, wrong, job = () => {}) {
  jobs.forEach(job);
  if (summary) take(summary);
  return read({ summary: take, job, ask: () => get(path('accounts', a, 'summary')).then(take, wrong) });
}

/** Calls `take(job)` as jobs change, and `ask()` when all are to be fetched: at first, when the stream opens, and while there is none. */
export function jobChanges(take, ask) {
  ask();
  return read({ job: take, opened: ask, ask });
}
