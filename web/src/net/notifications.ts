/** Calls about notifications, pushes, vacations and the agenda. */

import { call } from './api';
import type { Agenda, NotificationSettings, VacationInfo } from './types';

export const notifications = {
  markRead: (table: string | null) => call<void>('POST', '/api/notifications/read', { table }),
  settings: () => call<NotificationSettings>('GET', '/api/notifications/settings'),
  changeSettings: (settings: NotificationSettings) =>
    call<NotificationSettings>('PUT', '/api/notifications/settings', settings),
  pushKey: () => call<{ key: string | null }>('GET', '/api/push'),
  subscribe: (subscription: object) => call<unknown>('POST', '/api/push/subscriptions', subscription),
  unsubscribe: (endpoint: string) => call<unknown>('POST', '/api/push/unsubscribe', { endpoint }),
  agenda: () => call<Agenda>('GET', '/api/agenda'),
  beginVacation: (days: number) => call<VacationInfo>('POST', '/api/vacation', { days }),
  endVacation: () => call<VacationInfo>('DELETE', '/api/vacation'),
};
