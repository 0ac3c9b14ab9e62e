/** Copy a text; falls back to a text area if the page has no clipboard access (plain HTTP). */
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
    // Deprecated, but the only way without a secure context.
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
