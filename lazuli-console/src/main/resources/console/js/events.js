// One stream of events per tab, closed while the tab is hidden. Without a stream the summary is asked for every 10 s.
import { get, path, BASE } from './api.js';

const POLL = 10_000;

/** Calls `take(summary)` as summaries come. Gives what ends it. */
export function summaries(account, take, wrong) {
  let source = null;
  let timer = 0;
  const ask = async () => {
    try {
      take(await get(path('accounts', account, 'summary')));
    } catch (e) {
      wrong(e);
    }
  };
  const poll = () => {
    clearInterval(timer);
    timer = setInterval(ask, POLL);
  };
  const open = () => {
    if (document.hidden || source) return;
    source = new EventSource(BASE + '/events?account=' + encodeURIComponent(account));
    source.addEventListener('summary', e => {
      clearInterval(timer);
      take(JSON.parse(e.data));
    });
    source.onerror = () => {
      // The browser tries again by itself unless the server refused.
      if (source && source.readyState === EventSource.CLOSED) {
        source = null;
        poll();
      }
    };
  };
  const close = () => {
    source?.close();
    source = null;
    clearInterval(timer);
  };
  const seen = () => (document.hidden ? close() : open());
  document.addEventListener('visibilitychange', seen);
  ask();
  open();
  return () => {
    document.removeEventListener('visibilitychange', seen);
    close();
  };
}
