"""Chapter 17: shots: marks, accuracy, volleys, and whom the hits fall on."""
