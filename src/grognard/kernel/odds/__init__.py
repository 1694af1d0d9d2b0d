"""The same steps weighed: exact distributions, whole battles followed along every course of the dice."""
