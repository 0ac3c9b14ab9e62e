/** Whether this window has shown a tournament. */

const KEY = 'taiji.tournament';

export const seen = {
  note(id: string): void {
    try {
      sessionStorage.setItem(KEY, id);
    } catch {
      // Without storage the way back is only missing.
    }
  },
  any(): boolean {
    try {
      return sessionStorage.getItem(KEY) !== null;
    } catch {
      return false;
    }
  },
};
