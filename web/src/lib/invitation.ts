/** The secret of an invitation to a page, kept in this window so that a reload does not lose it. */

const PREFIX = 'taiji.invitation.';

/** Return the secret of the page's URL, or the one it had before; remove it from the URL, so that a copied address does not carry it. */
export function takeInvitation(page: string): string {
  const secret = location.hash.slice(1);
  if (secret) history.replaceState(null, '', location.pathname + location.search);
  try {
    if (secret) sessionStorage.setItem(PREFIX + page, secret);
    return secret || (sessionStorage.getItem(PREFIX + page) ?? '');
  } catch {
    return secret;
  }
}

/** Forget the secret once it was used. */
export function forgetInvitation(page: string): void {
  try {
    sessionStorage.removeItem(PREFIX + page);
  } catch {
    // Without storage there is nothing to forget.
  }
}
