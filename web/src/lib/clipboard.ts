/** Copy a text; works as well where the page comes over plain http and there is no clipboard to write to. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'visually-hidden';
    document.body.append(area);
    area.select();
    // Deprecated, and the only way there is without a secure context.
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
