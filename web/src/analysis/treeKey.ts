/** Keys of the analysis board beyond those that step along the line. */

import type { AnalysisTree } from './tree.svelte';

/** Switch between variations by up and down, undo by Ctrl+Z, delete by Delete. */
export function treeKey(event: KeyboardEvent, tree: AnalysisTree): void {
  const target = event.target as Element;
  if (event.defaultPrevented || target.closest('input, select, textarea, dialog')) return;
  if (used(event, tree)) event.preventDefault();
}

function used(event: KeyboardEvent, tree: AnalysisTree): boolean {
  if (event.ctrlKey || event.metaKey) {
    if (event.key !== 'z' || event.shiftKey || !tree.canUndo) return false;
    tree.undo();
    return true;
  }
  if (event.altKey || (event.target as Element).closest('.surface, .moves')) return false;
  switch (event.key) {
    case 'ArrowUp':
      return tree.sibling(-1);
    case 'ArrowDown':
      return tree.sibling(1);
    case 'Delete':
      tree.remove(tree.current);
      return true;
  }
  return false;
}
