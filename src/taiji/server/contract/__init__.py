"""Every message and stored event as types."""
