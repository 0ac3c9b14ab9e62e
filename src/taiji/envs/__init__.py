"""Reinforcement-learning environments: PettingZoo, Gymnasium, OpenSpiel, and batched play on an accelerator.

Each library is imported only with the module that adapts to it: `taiji_v1` (PettingZoo), `gymnasium_v1`,
`openspiel`, and `batched` (JAX). All of them need `pip install 'taiji[rl]'`.
"""
