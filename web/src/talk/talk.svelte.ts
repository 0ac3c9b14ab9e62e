/** What the two players of a table say to each other. */

import { t } from '../i18n/index.svelte';
import { settings } from '../lib/settings.svelte';
import { play } from '../lib/sounds';
import { talk } from '../net/talk';
import type { Phrase, PhraseInfo, SeatName } from '../net/types';

/** How long a phrase is shown beside the board. */
const SHOWN_MS = 6000;
const MAX_LISTED = 20;

export class Talk {
  said = $state.raw<readonly PhraseInfo[]>([]);
  blocked = $state(false);
  /** The latest phrase of each seat, while it is shown. */
  private fresh = $state.raw<Partial<Record<SeatName, Phrase>>>({});
  private readonly timers: Partial<Record<SeatName, ReturnType<typeof setTimeout>>> = {};

  constructor(
    private readonly table: string,
    readonly say: (phrase: Phrase) => void,
  ) {}

  /** Read what was said before, and whether the opponent is blocked. */
  async load(): Promise<void> {
    try {
      const known = await talk.read(this.table);
      this.said = known.phrases;
      this.blocked = known.blocked;
    } catch {
      // Without it the game goes on.
    }
  }

  receive({ seat, phrase, at }: PhraseInfo, you: SeatName | null): void {
    this.said = [...this.said, { seat, phrase, at }].slice(-MAX_LISTED);
    if (seat !== you && !settings.phrases) return;
    this.fresh = { ...this.fresh, [seat]: phrase };
    clearTimeout(this.timers[seat]);
    this.timers[seat] = setTimeout(() => (this.fresh = { ...this.fresh, [seat]: undefined }), SHOWN_MS);
    if (seat !== you) play('notify');
  }

  /** The phrase to show beside a seat, or nothing. */
  shown(seat: SeatName, you: SeatName | null): string {
    const phrase = this.fresh[seat];
    return phrase && this.mayShow(seat, you) ? t(`phrase.${phrase}`) : '';
  }

  /** The phrases to list: without those of an opponent who is muted or blocked. */
  listed(you: SeatName | null): readonly PhraseInfo[] {
    return this.said.filter(({ seat }) => this.mayShow(seat, you));
  }

  private mayShow(seat: SeatName, you: SeatName | null): boolean {
    return seat === you || (settings.phrases && !this.blocked);
  }

  close(): void {
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
  }
}
