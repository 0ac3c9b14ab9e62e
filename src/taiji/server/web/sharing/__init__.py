"""Sharing: link previews, their pictures, and embedded boards."""
