// Queries that were run or saved, in this browser only. Never results.
const MAX = 500;
let opening = null;
const memory = [];

function database() {
  if (!opening) {
    opening = new Promise((resolve, reject) => {
      const request = indexedDB.open('lazuli', 1);
      request.onupgradeneeded = () => request.result.createObjectStore('queries', { keyPath: 'id', autoIncrement: true });
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  }
  return opening;
}

function run(mode, work) {
  return database().then(db => new Promise((resolve, reject) => {
    const t = db.transaction('queries', mode);
    const request = work(t.objectStore('queries'));
    t.oncomplete = () => resolve(request?.result);
    t.onerror = () => reject(t.error);
  }));
}

/** All entries of a table, newest first. Works without IndexedDB until the page is left. */
export async function entries(account, table) {
  let all = memory;
  try {
    all = await run('readonly', s => s.getAll());
  } catch {
    // A private window.
  }
  return all.filter(x => x.account === account && x.table === table).sort((a, b) => b.at - a.at);
}

/** Adds one. A query that was run again moves to the top. */
export async function add(entry) {
  const now = { ...entry, at: Date.now() };
  try {
    const all = await run('readonly', s => s.getAll());
    const old = all.filter(x => x.account === now.account && x.table === now.table && x.filter === now.filter && x.name === now.name);
    await run('readwrite', s => {
      for (const x of old) s.delete(x.id);
      const over = all.filter(x => !x.name).sort((a, b) => a.at - b.at);
      for (let i = 0; i < all.length - old.length + 1 - MAX && i < over.length; i++) s.delete(over[i].id);
      return s.add(now);
    });
  } catch {
    memory.push({ ...now, id: memory.length });
  }
}

export async function remove(id) {
  try {
    await run('readwrite', s => s.delete(id));
  } catch {
    const i = memory.findIndex(x => x.id === id);
    if (i >= 0) memory.splice(i, 1);
  }
}
