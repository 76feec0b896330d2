// One stream of events per tab, closed while the tab is hidden. Without a stream the summary is asked for every 10 s.
import { get, path, BASE } from './api.js';

const POLL = 10_000;

/**
 * Opens the stream of an account. `on`: {summary, job} take what comes, `ask` fetches anew while there is no stream. Gives
 * what ends it.
 */
function stream(account, on, ask) {
  let source = null;
  let timer = 0;
  const poll = () => {
    clearInterval(timer);
    timer = setInterval(ask, POLL);
  };
  const open = () => {
    if (document.hidden || source) return;
    source = new EventSource(BASE + '/events?account=' + encodeURIComponent(account));
    for (const name of Object.keys(on)) {
      source.addEventListener(name, e => {
        clearInterval(timer);
        on[name](JSON.parse(e.data));
      });
    }
    // What changed before the stream was open came to nobody.
    source.onopen = () => ask();
    source.onerror = () => {
      // The browser tries again by itself unless the server refused.
      if (source && source.readyState === EventSource.CLOSED) {
        source = null;
        ask();
        poll();
      }
    };
  };
  const close = () => {
    source?.close();
    source = null;
    clearInterval(timer);
  };
  const seen = () => {
    if (document.hidden) return close();
    ask();
    return open();
  };
  document.addEventListener('visibilitychange', seen);
  // The first event of the stream comes at once.
  if (document.hidden) ask();
  else open();
  return () => {
    document.removeEventListener('visibilitychange', seen);
    close();
  };
}

/** Calls `take(summary)` as summaries come, and `job(job)` as jobs change. Gives what ends it. */
export function summaries(account, take, wrong, job = () => {}) {
  return stream(account, { summary: take, job }, async () => {
    try {
      take(await get(path('accounts', account, 'summary')));
    } catch (e) {
      wrong(e);
    }
  });
}

/**
 * Calls `take(job)` as jobs change, and `ask()` when all are to be fetched: at first, when the stream opens, and while there is
 * none. Gives what ends it.
 */
export const jobChanges = (account, take, ask) => stream(account, { summary: () => {}, job: take }, ask);
