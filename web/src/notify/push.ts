/** Web push on this device: switched on by a click, never by itself. */

import { load, save } from '../lib/localStore';
import { whoAmI } from '../net/api';
import { notifications } from '../net/notifications';

export type PushState = 'unsupported' | 'no-server' | 'denied' | 'off' | 'on';

const SAVED = 'push';

function supported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

async function registered(): Promise<ServiceWorkerRegistration | null> {
  // Without a service worker, as in development, there is nothing to wait for.
  return (await navigator.serviceWorker.getRegistration()) ? navigator.serviceWorker.ready : null;
}

async function current(): Promise<PushSubscription | null> {
  const registration = supported() ? await registered() : null;
  return registration ? registration.pushManager.getSubscription() : null;
}

export async function pushState(): Promise<PushState> {
  if (!supported() || !(await registered())) return 'unsupported';
  if (!(await notifications.pushKey()).key) return 'no-server';
  if (Notification.permission === 'denied') return 'denied';
  return Notification.permission === 'granted' && (await current()) ? 'on' : 'off';
}

/** Ask for permission and subscribe; call it from a click. */
export async function switchOn(language: string): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return pushState();
  const { key } = await notifications.pushKey();
  const registration = await registered();
  if (!key || !registration) return pushState();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  });
  await send(subscription, language);
  return 'on';
}

export async function switchOff(): Promise<PushState> {
  const subscription = await current();
  save(SAVED, null);
  if (subscription) {
    await subscription.unsubscribe();
    await notifications.unsubscribe(subscription.endpoint);
  }
  return pushState();
}

/** Tell the server of this device again after a change of language or user; the subscription ends with a session. */
export async function renew(language: string): Promise<void> {
  try {
    if (load<string | null>(SAVED, null) === null || Notification.permission !== 'granted') return;
    const subscription = await current();
    if (subscription && load(SAVED, '') !== (await stamp(subscription, language)))
      await send(subscription, language);
  } catch {
    // The next page tries again.
  }
}

async function send(subscription: PushSubscription, language: string): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  await notifications.subscribe({ endpoint, keys, language });
  save(SAVED, await stamp(subscription, language));
}

/** What the server knows of this device: where, for whom, in which language, and on which day it was told. */
async function stamp({ endpoint }: PushSubscription, language: string): Promise<string> {
  const { name, account } = await whoAmI();
  return [account?.name ?? '', name ?? '', language, new Date().toDateString(), endpoint].join('|');
}
