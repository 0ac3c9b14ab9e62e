/** A small store of values with an `id` in IndexedDB. */

/** Why a value could not be kept. */
export class StorageError extends Error {
  constructor(
    readonly code: 'forbidden' | 'full',
    message: string,
  ) {
    super(message);
  }
}

const NAME = 'taiji';
const VERSION = 1;
export const GAMES = 'games';

let opening: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      if (!request.result.objectStoreNames.contains(GAMES))
        request.result.createObjectStore(GAMES, { keyPath: 'id' });
    };
    request.onsuccess = () => {
      const database = request.result;
      // A newer version of the app in another tab, or the browser itself, may take the database away.
      database.onversionchange = () => database.close();
      database.onclose = () => (opening = null);
      resolve(database);
    };
    request.onerror = () => reject(request.error ?? new Error('the database does not open'));
    request.onblocked = () => reject(new Error('the database is in use'));
  });
  opening.catch(() => (opening = null));
  return opening;
}

/** Run a request in a transaction of its own; rejects with a `StorageError` only. */
async function run<T>(
  mode: IDBTransactionMode,
  request: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  try {
    const transaction = (await open()).transaction(GAMES, mode, { durability: 'strict' });
    return await new Promise<T>((resolve, reject) => {
      const asked = request(transaction.objectStore(GAMES));
      // A change is kept although the page is left at once: the browser waits for nothing else from it.
      if (mode === 'readwrite') transaction.commit();
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error ?? asked.error);
    });
  } catch (error) {
    const full = (error as DOMException | null)?.name === 'QuotaExceededError';
    throw new StorageError(full ? 'full' : 'forbidden', String(error));
  }
}

export const database = {
  all: <T>() => run<T[]>('readonly', (store) => store.getAll() as IDBRequest<T[]>),
  get: <T>(id: string) =>
    run<T | undefined>('readonly', (store) => store.get(id) as IDBRequest<T | undefined>),
  put: (value: { id: string }) => run('readwrite', (store) => store.put(value)),
  remove: (id: string) => run('readwrite', (store) => store.delete(id)),
};
