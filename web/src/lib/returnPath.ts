/** The path to return to after signing in, kept in this window and used once. */

const KEY = 'taiji.back';

export const returnPath = {
  save(path: string): void {
    try {
      sessionStorage.setItem(KEY, path);
    } catch {
      // Without storage, the player opens the link again.
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
