// The one way to the server: same origin, JSON, errors as sentences.
import { store } from './core.js';
import { T } from './texts.js';

export const BASE = '/api/v1';

/** false while the server does not answer. */
export const online = store(true);

/** Set by the shell: where to go when the session is over. */
let signedOut = () => {};
export const onSignedOut = f => (signedOut = f);

/** An answer that reports a failure. `text` is a sentence for people. */
export class ApiError extends Error {
  constructor(status, code, text, body) {
    super(code);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.text = text;
    this.body = body;
  }
}

/** Builds a path; every part is escaped. path('accounts', a, 'tables'). */
export const path = (...parts) => BASE + parts.map(p => '/' + encodeURIComponent(p)).join('');

function address(path, query) {
  const q = new URLSearchParams();
  for (const [k, v] of Object.entries(query || {})) if (v !== null && v !== undefined) q.set(k, v);
  const text = q.toString();
  return text ? path + '?' + text : path;
}

async function failure(response) {
  let body = null;
  try {
    body = await response.json();
  } catch {
    // No JSON: a proxy answered, or nothing did.
  }
  const error = body && body.error && typeof body.error === 'object' ? body.error : body;
  const text = (error && error.message) || T.error.status(response.status);
  return new ApiError(response.status, (error && error.code) || 'Status' + response.status, text, body);
}

const READS = /\/(?:query|explain|propose)$/;

/** An answer that did not come, or not all of it. Only a read has certainly changed nothing. */
function lost(method, path) {
  online.set(false);
  return new ApiError(0, 'NoAnswer', method === 'GET' || READS.test(path) ? T.error.noAnswer : T.error.unsure, null);
}

/** Sends a request and gives the response; throws ApiError. */
export async function send(method, path, { query, body, headers, signal } = {}) {
  const head = new Headers({ 'X-Lazuli-Console': '1', ...headers });
  let payload = body;
  if (body !== undefined && body !== null && !(body instanceof Blob) && !(body instanceof ArrayBuffer)) {
    head.set('Content-Type', 'application/json');
    payload = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(address(path, query), { method, headers: head, body: payload, signal, credentials: 'same-origin', cache: 'no-store', redirect: 'error' });
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    throw lost(method, path);
  }
  // A server that starts answers 503 before it knows its sessions.
  if (response.status !== 503) online.set(true);
  if (response.ok) return response;
  const e = await failure(response);
  if (response.status === 401) signedOut(e);
  throw e;
}

/** The same for JSON answers. Gives null if there is no body. */
export async function call(method, path, options) {
  const response = await send(method, path, options);
  if (response.status === 204) return null;
  let text;
  try {
    text = await response.text();
  } catch (e) {
    throw e.name === 'AbortError' ? e : lost(method, path);
  }
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    throw new ApiError(response.status, 'NoJson', T.error.noJson, null);
  }
}

export const get = (path, query, signal) => call('GET', path, { query, signal });
export const post = (path, body, signal) => call('POST', path, { body, signal });

let beat = 0;
/** While the server does not answer, asks every two seconds whether it is back. A restart ends sessions. */
online.watch(up => {
  clearInterval(beat);
  if (!up) beat = setInterval(() => call('GET', BASE + '/session').catch(() => {}), 2000);
});

/** Calls once, when the server answers again. */
export function whenBack(f) {
  const end = online.watch(up => up && queueMicrotask(() => end() && f()));
}
