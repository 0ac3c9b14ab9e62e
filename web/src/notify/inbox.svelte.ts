/** The user's notifications, followed over a socket of their own. */

import { language } from '../i18n/index.svelte';
import { router } from '../lib/router.svelte';
import { listen } from '../net/feed';
import { notifications } from '../net/notifications';
import type { NotificationInfo, NotificationList } from '../net/types';
import { renew } from './push';
import { showCount } from './title';

class Inbox {
  list = $state.raw<readonly NotificationInfo[]>([]);
  unread = $state(0);
  private started = false;

  /** Follow the list as long as the page is open. */
  start(): void {
    if (this.started) return;
    this.started = true;
    listen<{ type: string } & NotificationList>('/ws/notifications', (message) => {
      if (message.type !== 'notifications') return;
      this.list = message.notifications;
      this.unread = message.unread;
    });
    $effect.root(() => {
      $effect(() => showCount(this.unread));
      // Whoever looks at a table has seen what is to be done there.
      $effect(() => {
        const { screen, parts } = router.route;
        if (screen === 'game' && this.list.some(({ table, read }) => table === parts[0] && !read))
          void notifications.markRead(parts[0]).catch(() => undefined);
      });
      $effect(() => void renew(language()));
    });
  }
}

export const inbox = new Inbox();
