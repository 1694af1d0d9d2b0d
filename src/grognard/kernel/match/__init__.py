"""A match is its answers: driven, taken back, forked, saved and told; dice of every kind."""
