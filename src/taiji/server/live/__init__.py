"""What runs while games are played: rooms, timers, lobby, notifications."""
