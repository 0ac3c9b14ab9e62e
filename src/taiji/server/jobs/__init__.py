"""Work beside the event loop: engines, searches, reviews, pictures."""
