/** Calls that change the account: password, recovery codes and deletion. */

import { call, signedInAs } from './api';
import type { Me } from './types';

export const account = {
  changePassword: (current: string, fresh: string) =>
    signedInAs(call<Me>('POST', '/api/account/password', { current, new: fresh })),
  recover: (name: string, code: string, password: string) =>
    signedInAs(call<Me>('POST', '/api/account/recovery', { name, code, password })),
  codesLeft: () => call<{ unused: number }>('GET', '/api/account/recovery-codes'),
  newCodes: (password: string) =>
    call<{ codes: string[] }>('POST', '/api/account/recovery-codes', { password }),
  remove: (password: string | null) => signedInAs(call<Me>('POST', '/api/me/delete', { password })),
};
