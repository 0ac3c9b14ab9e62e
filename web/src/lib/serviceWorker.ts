/** Registers the service worker and tells it which version this page is. */

const SCRIPT = import.meta.url;

/** Register the worker; without one the app works, but not offline. */
export async function registerWorker(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.register(`${import.meta.env.BASE_URL}worker.js`);
    const { active, waiting } = registration;
    tell(active);
    tell(waiting);
    registration.onupdatefound = () => {
      const installing = registration.installing;
      installing?.addEventListener('statechange', () => {
        if (installing.state === 'installed' || installing.state === 'activated') tell(installing);
      });
    };
  } catch {
    // Storage is forbidden, or the page is not secure.
  }
}

function tell(worker: ServiceWorker | null): void {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  worker?.postMessage({ script: SCRIPT, large: !connection?.saveData });
}
