/** Where somebody goes on after signing in; only this window knows it, and only once. */

const KEY = 'taiji.back';

export const back = {
  keep(path: string): void {
    try {
      sessionStorage.setItem(KEY, path);
    } catch {
      // Without storage the link has to be opened again.
    }
  },
  take(): string | null {
    try {
      const path = sessionStorage.getItem(KEY);
      sessionStorage.removeItem(KEY);
      return path;
    } catch {
      return null;
    }
  },
};
