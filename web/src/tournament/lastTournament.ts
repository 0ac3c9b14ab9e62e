/** Remembers in this window that a tournament was shown. */

const KEY = 'taiji.tournament';

export const lastTournament = {
  save(id: string): void {
    try {
      sessionStorage.setItem(KEY, id);
    } catch {
      // Without storage, only the link back to the tournament is missing.
    }
  },
  exists(): boolean {
    try {
      return sessionStorage.getItem(KEY) !== null;
    } catch {
      return false;
    }
  },
};
