"""The dataset of engine games: played here or imported from self-play, checked by the rules, as Parquet."""
