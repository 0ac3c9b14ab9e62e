"""Training: self-play, learning and gating on an accelerator, in JAX; `taiji train` is its command."""
